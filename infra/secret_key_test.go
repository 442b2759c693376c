package infra_test

import (
	"bytes"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// keyHolders are the packages that hold the secret key, with the functions that
// carry them.
func keyHolders() map[string][]string {
	return map[string][]string{
		"pkg/boot/admin": {"server", "summarize", "travel", "users"},
	}
}

func mayHoldTheKey() []string { return []string{"server", "summarize", "travel", "users"} }

// S0-51, S2-64: the key that stands above the row policies is taken by the users
// function, for Auth's administration, by the summarize function, for its jobs, and
// by the travel function, for webhooks (and by server, where a user sets it there).
// All call functions that say for which organisation.
func TestTheSecretKeyIsHeldByFew(t *testing.T) {
	const name = "SUPABASE_SECRET_KEY"
	packages := listPackages(t)
	for _, function := range functionNames(t) {
		_, reads := newSource(t, root).settings("functions/" + function)[name]
		at := slices.IndexFunc(packages, func(p goPackage) bool { return p.ImportPath == "functions/"+function })
		if may := slices.Contains(mayHoldTheKey(), function); reads != may {
			t.Errorf("functions/%s: reads %s %v, want %v", function, name, reads, may)
		}
		for holder, by := range keyHolders() {
			carries := slices.Contains(packages[at].Deps, module+"/"+holder) || slices.Contains(packages[at].Deps,
				holder)
			if may := slices.Contains(by, function); carries != may {
				t.Errorf("functions/%s: contains %s %v, want %v", function, holder, carries, may)
			}
		}
	}
	template := readTemplate(t)
	if at(template, "Globals", "Function", "Environment", "Variables", name) != nil {
		t.Errorf("%s is given to every function", name)
	}
	for folder, ids := range functionResources(template) {
		for _, id := range ids {
			has := at(template, "Resources", id, "Properties", "Environment", "Variables", name) != nil
			if has != slices.Contains(mayHoldTheKey(), folder) {
				t.Errorf("%s has %s: %v", id, name, has)
			}
		}
	}
	makes := regexp.MustCompile(`\bNewAdmin\(`)
	for _, folder := range []string{"pkg", "functions"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			where := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), root+string(filepath.Separator)))
			if n := len(makes.FindAll(bytes.ReplaceAll(text, []byte("func NewAdmin("), nil), -1)); n > 0 &&
				keyHolders()[where] == nil || n > 1 {
				t.Errorf("%s makes %d clients with the secret key", path, n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What the client with the secret key calls: a closed list, and each function
// on it takes the organisation, except those that are asked of which one: whose
// key or order it is, where something is due, and whether a webhook was here before.
func TestTheSecretKeyCallsLittle(t *testing.T) {
	files, err := sourceFiles("pkg/supabase")
	if err != nil {
		t.Fatal(err)
	}
	var called []string
	for _, file := range files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || receiverOr(fn) != "Admin" {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if text, _ := strconv.Unquote(n.Value); n.Kind == token.STRING &&
						regexp.MustCompile(`^[a-z]+_[a-z_]+$`).MatchString(text) &&
						text != "org_id" && text != "bellhop_org" && !strings.HasPrefix(text, "p_") {
						called = append(called, text)
					}
				case *ast.Ident:
					if slices.Contains([]string{"Select", "One", "Insert", "Update", "Delete", "Read"}, n.Name) {
						t.Errorf("%s reads or writes with the secret key by %s", fn.Name.Name, n.Name)
					}
				case *ast.SelectorExpr:
					if strings.HasPrefix(n.Sel.Name, "Admin") {
						called = append(called, n.Sel.Name)
					}
				}
				return true
			})
		}
	}
	slices.Sort(called)
	called = slices.Compact(called)
	want := []string{"AdminCreateUser", "AdminCreateUserRequest", "AdminDeleteUser", "AdminDeleteUserRequest",
		"AdminUpdateUser", "AdminUpdateUserRequest",
		"account_find", "account_left", "job_budget_prolong", "job_budget_reserve",
		"job_budget_settle", "job_model_configs", "job_provider_take", "job_summary_claim", "job_summary_due",
		"job_summary_end", "job_summary_put", "job_summary_want", "job_travel_notice", "job_travel_order",
		"job_travel_pending",
		"webhook_seen"}
	if !slices.Equal(called, want) {
		t.Errorf("it calls %q, want %q", called, want)
	}
	var sql strings.Builder
	migrations, err := filepath.Glob(filepath.Join(root, "infra/supabase/migrations/*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range migrations {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sql.Write(text)
	}
	for _, name := range want[6:] {
		head := regexp.MustCompile(`create function public\.` + name + `\(([^)]*)\)`).FindStringSubmatch(sql.String())
		asked := slices.Contains([]string{"job_summary_due", "job_travel_order",
			"job_travel_pending", "webhook_seen"}, name)
		if head == nil {
			t.Errorf("there is no function %s", name)
		} else if takes := strings.Contains(head[1], "p_org uuid"); takes == asked {
			t.Errorf("%s(%s)", name, head[1])
		}
	}
}
