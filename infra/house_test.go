// Package infra_test keeps what no single package can see: who imports whom,
// and whether the deployment files agree with the functions.
package infra_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the module's root as seen from this folder, where `go test` runs us.
const root = ".."

// longestFile is where a file has outgrown a screenful of ideas.
const longestFile = 450

// longestMain is a function's main that can still be seen at once.
const longestMain = 60

// S0-59, SB-2, SB-4: what each function carries, and the libraries that are required.
func TestHouse(t *testing.T) {
	// Reading the tree also tells `go test` what this test depends on: it
	// cannot see what `go list` reads, and would repeat an old verdict.
	lines := countLines(t)
	packages := listPackages(t)

	t.Run("everybody imports only what is below", func(t *testing.T) {
		for _, finding := range findings(packages) {
			t.Error(finding)
		}
	})

	t.Run("no file outgrows its reader", func(t *testing.T) {
		for path, n := range lines {
			if !strings.HasSuffix(path, "_test.go") && n > longestFile {
				t.Errorf("%s has %d lines, more than %d: it holds more than one idea, give each a file", path, n,
					longestFile)
			}
		}
	})

	t.Run("each function is a page", func(t *testing.T) {
		for _, name := range functionNames(t) {
			main := "functions/" + name + "/main.go"
			n, ok := lines[main]
			switch {
			case !ok:
				t.Errorf("functions/%s has no main.go: every folder there is one deployable function", name)
			case n > longestMain:
				t.Errorf("%s has %d lines, more than %d: a main only wires, what it does belongs into pkg", main, n,
					longestMain)
			}
		}
	})

	t.Run("the four libraries are used and required directly", func(t *testing.T) {
		required := directRequirements(t)
		for _, lib := range []string{
			"github.com/aws/aws-lambda-go",
			"github.com/openai/openai-go/v3",
			"github.com/supabase-community/supabase-go",
			"github.com/rs/zerolog",
		} {
			if !required[lib] {
				t.Errorf("go.mod does not require %s directly: the product is built on it (`go mod tidy` writes the "+
					"line once a package imports it)", lib)
			}
			used := slices.ContainsFunc(packages, func(p goPackage) bool {
				return withinAny(p.ImportPath, []string{"pkg", "functions"}) &&
					slices.ContainsFunc(p.Imports, func(i string) bool { return within(i, lib) })
			})
			if !used {
				t.Errorf("no production package imports %s: the product is built on it", lib)
			}
		}
	})
}

// TestHouseRules shows that each rule bites, on packages that do not exist.
func TestHouseRules(t *testing.T) {
	tests := map[string]struct {
		p    goPackage
		want string // a part of the one finding; empty when all is well
	}{
		"a turn may use the ground floor": {p: imports("pkg/agent", "pkg/llm", "pkg/tool", "net/http")},
		"a turn knows no vendor's adapter": {p: imports("pkg/agent", "pkg/openai"),
			want: "no domain, no adapter"},
		"a turn knows no domain": {p: imports("pkg/router", "pkg/hospitality/rooms"),
			want: "no domain"},
		"the ground floor leans backwards only": {p: imports("pkg/effect", "pkg/fault")},
		"the ground floor never leans forwards": {p: imports("pkg/fault", "pkg/effect"), want: "ground floor"},
		"the ground floor knows no tool":        {p: imports("pkg/llm", "pkg/tool"), want: "ground floor"},
		"a domain's folders know each other": {p: imports("pkg/hospitality/reservations", "pkg/hospitality/rooms",
			"pkg/tool", "pkg/render", "pkg/money")},
		"a domain does not know another": {p: imports("pkg/travel/stays", "pkg/hospitality/rooms"),
			want: "a domain is rules"},
		"a domain does not know the loop": {p: imports("pkg/portfolio/story", "pkg/agent"),
			want: "a domain is rules"},
		"a domain does not know HTTP": {p: imports("pkg/finance/cache", "net/http"), want: "knows no HTTP"},
		"a domain does not know SQL": {p: imports("pkg/hospitality/rooms", "database/sql"),
			want: "REST door"},
		"an adapter fulfils a domain's contract": {p: imports("pkg/supabase/hospitality", "pkg/supabase",
			"pkg/hospitality/rooms", "github.com/supabase-community/postgrest-go")},
		"an adapter does not know another": {p: imports("pkg/openai", "pkg/supabase"), want: "no other adapter"},
		"an adapter uses its own SDK":      {p: imports("pkg/openai", "github.com/openai/openai-go/v3/option")},
		"an adapter does not use another's SDK": {p: imports("pkg/mail", "github.com/openai/openai-go/v3"),
			want: "pkg/openai alone"},
		"a handler is given its stores": {p: imports("pkg/api/chat", "pkg/supabase"),
			want: "from the function's main"},
		"a handler may know flows and profiles": {p: imports("pkg/api/chat", "pkg/assistants", "pkg/flow",
			"pkg/httpx", "pkg/stream")},
		"a handler knows no assistant's runtime": {p: imports("pkg/api/chat", "pkg/assistants/hospitality"),
			want: "from the function's main"},
		"a runtime knows its tools": {p: imports("pkg/assistants/hospitality", "pkg/hospitality/rooms",
			"pkg/flow/routed", "pkg/assistants/profiles")},
		"a runtime does not know consent": {p: imports("pkg/assistants/planner", "pkg/consent"),
			want: "none of its business"},
		"a profile weighs nothing": {p: imports("pkg/assistants/profiles", "pkg/assistants/hospitality"),
			want: "plain data"},
		"a profile knows no tool": {p: imports("pkg/assistants", "pkg/tool"), want: "plain data"},
		"a flow knows no domain": {p: imports("pkg/flow/routed", "pkg/hospitality/rooms"),
			want: "no domain"},
		"what runs no turns carries no tools": {
			p: goPackage{ImportPath: "functions/export", Name: "main",
				Deps: []string{module + "/pkg/hospitality/rooms"}}, want: "profiles are all",
		},
		"what serves projects carries them": {p: goPackage{ImportPath: "functions/projects", Name: "main",
			Deps: []string{module + "/pkg/portfolio/projects"}}},
		"what serves projects carries no tools": {
			p: goPackage{ImportPath: "functions/projects", Name: "main",
				Deps: []string{module + "/pkg/portfolio/tools"}}, want: "profiles are all",
		},
		"only the door knows Lambda": {p: imports("functions/chat",
			"github.com/aws/aws-lambda-go/lambda"), want: "only the door"},
		"the door knows Lambda": {p: imports("pkg/boot/lambda",
			"github.com/aws/aws-lambda-go/lambda")},
		"MCP has two doors": {p: imports("functions/mcp",
			"github.com/modelcontextprotocol/go-sdk/mcp"), want: "pkg/mcptools, as a client"},
		"the product has no direct SQL": {p: imports("pkg/supabase", "github.com/jackc/pgx/v5"),
			want: "REST door"},
		"stand-ins may use SQL": {p: imports("infra/local/rest", "github.com/jackc/pgx/v5")},
		"functions see everything of the product": {p: imports("functions/chat", "pkg/api/chat", "pkg/openai",
			"pkg/supabase/hospitality")},
		"nothing deployed carries examples": {p: imports("pkg/assistants/hospitality",
			"pkg/assistants/examples"), want: "built-in model"},
		"functions contain no stand-in": {p: imports("functions/server", "infra/local/rest"),
			want: "stand-ins"},
		"the product does not know the scripts": {p: imports("pkg/boot", "scripts/dev"),
			want: "no development stand-ins"},
		"the product does not know the functions": {p: imports("pkg/httpx", "functions/server/page"),
			want: "what all HTTP doors share"},
		"a new folder must find its floor":         {p: imports("pkg/utils", "fmt"), want: "no floor"},
		"a name that only begins alike is nothing": {p: imports("pkg/openairways"), want: "no floor"},
		"a function stays light": {
			p: goPackage{ImportPath: "functions/chat", Name: "main",
				Deps: []string{"fmt", "github.com/xuri/excelize/v2"}}, want: "spreadsheets",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := findings([]goPackage{test.p})
			if test.want == "" {
				if len(got) > 0 {
					t.Fatalf("unexpected findings: %q", got)
				}
				return
			}
			if len(got) != 1 || !strings.Contains(got[0], test.want) {
				t.Fatalf("findings are %q, want one with %q", got, test.want)
			}
		})
	}
}

func imports(path string, imported ...string) goPackage {
	return goPackage{ImportPath: path, Imports: imported}
}

// listPackages asks the go command for all packages of the module.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	// With -e a package that does not build is still judged by its imports;
	// that it does not build is for others to say.
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Name,Imports,Deps", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var packages []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("go list printed something odd: %v", err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module+"/")
		for i, imported := range p.Imports {
			p.Imports[i] = strings.TrimPrefix(imported, module+"/")
		}
		packages = append(packages, p)
	}
	if len(packages) == 0 {
		t.Fatal("go list found no package")
	}
	return packages
}

// countLines reads every Go file of ours and counts its lines. Keys are paths
// from the root, with slashes.
func countLines(t *testing.T) map[string]int {
	t.Helper()
	lines := map[string]int{}
	for _, top := range []string{"pkg", "functions", "infra", "scripts"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go"):
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, path)
			lines[filepath.ToSlash(rel)] = bytes.Count(text, []byte("\n"))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return lines
}

// functionNames lists the folders under functions, one per function.
func functionNames(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "functions"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// directRequirements reads from go.mod the modules that are required and not
// marked as indirect.
func directRequirements(t *testing.T) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	direct := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		path, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "require "), " ")
		if strings.HasPrefix(rest, "v") && !strings.HasSuffix(rest, "// indirect") {
			direct[path] = true
		}
	}
	return direct
}
