package infra_test

import (
	"fmt"
	"slices"
	"strings"
)

// module is the path that all our packages begin with.
const module = "github.com/bellhop-ai/bellhop"

// goPackage is what `go list` tells of one package. Paths of ours are relative
// to the module, as in "pkg/tool". Imports are those of production files; Deps
// is everything they lead to.
type goPackage struct {
	ImportPath string
	Name       string
	Imports    []string
	Deps       []string
}

// floor is a set of folders under pkg with one rule about what they import.
type floor struct {
	name    string
	folders []string
	may     []string // the floors below it, and single folders
	why     string
}

// floors is the order of the house. A folder of pkg that stands on none of
// them is reported, so that nothing escapes the rules by being new.
func floors() []floor {
	return []floor{
		{
			name: "ground", folders: groundFloor(),
			why: "the ground floor is plain data and words: everybody leans on it, so it leans on nothing but the " +
				"folders that stand before it in groundFloor",
		},
		{
			name: "turn",
			folders: []string{"pkg/tool", "pkg/agent", "pkg/history", "pkg/consent", "pkg/turns", "pkg/stream",
				"pkg/render", "pkg/part", "pkg/router", "pkg/prompt", "pkg/limit", "pkg/models"},
			may: []string{"ground", "turn"},
			why: "how a turn runs is the same for a hotel and a ledger, and for every vendor; so it knows no " +
				"domain, no adapter and no door",
		},
		{
			name: "domain",
			folders: append(slices.DeleteFunc(domains(), func(d string) bool { return d == planning }), "pkg/users",
				"pkg/feedback", "pkg/intents", "pkg/uploads", "pkg/summary",
				"pkg/business"),
			may: []string{"ground", "pkg/tool", "pkg/render", "pkg/part", "pkg/conversations"},
			why: "a domain is rules and tools in its users' words; it says in a contract what it needs, and never " +
				"learns who fulfils it",
		},
		{
			name: "planner", folders: []string{planning},
			may: []string{"ground", "pkg/tool", "pkg/part", "pkg/render", "pkg/travel"},
			why: "a planned trip is made of flights, stays and an itinerary, which package travel defines; it knows " +
				"no other domain",
		},
		{
			name: "conversations", folders: []string{"pkg/conversations"},
			may: []string{"ground", "pkg/turns", "pkg/limit"},
			why: "a conversation is made of turns: it says what is kept of one, and never learns how one runs",
		},
		{
			name: "export", folders: []string{"pkg/export"},
			may: []string{"ground", "pkg/render"},
			why: "a file is laid out from what is handed in; who said what, and whether it is verified, was decided " +
				"before",
		},
		{
			name: "flow", folders: []string{"pkg/flow"},
			may: []string{"ground", "turn", "profile"},
			why: "the contract of assistants knows none of them, no domain and no vendor",
		},
		{
			name: "assistants", folders: runtimeFolders(),
			may: []string{"ground", "flow", "domain", "planner", "profile", "pkg/agent", "pkg/tool", "pkg/prompt",
				"pkg/router",
				"pkg/history", "pkg/render", "pkg/part"},
			why: "an assistant is a flow, personas and toolsets; stores are handed to it, and consent, turns, " +
				"limits and streams are none of its business",
		},
		{
			name: "profile", folders: []string{"pkg/assistants"},
			may: []string{"ground"},
			why: "a profile is plain data: functions that run no turn carry it, and must not carry tools, agents, " +
				"prompts or stores with it",
		},
		{
			name: "adapter", folders: adapters(),
			may: []string{"ground", "turn", "domain", "planner", "conversations"},
			why: "an adapter is the border to one outside thing; it knows our words and the contracts it fulfils, " +
				"no other adapter and nobody above it",
		},
		{
			name: "httpx", folders: []string{"pkg/httpx"},
			may: []string{"ground", "turn"},
			why: "what all HTTP doors share must not depend on what one of them opens to",
		},
		{
			name: "api", folders: []string{"pkg/api"},
			may: []string{"ground", "turn", "domain", "planner", "conversations", "flow", "profile", "httpx", "api",
				"export"},
			why: "a handler gets its stores and models from the function's main, the only place that sees all; so " +
				"it can be tried with others",
		},
		{
			name: "boot", folders: []string{"pkg/boot"},
			may: []string{"ground", "turn", "domain", "planner", "conversations", "flow", "assistants", "profile",
				"adapter",
				"httpx", "api", "boot", "pkg/export/pdf"},
			why: "what starts functions is a part of the product, and the product contains no development stand-ins " +
				"and no scripts",
		},
	}
}

// groundFloor is in the one direction that is allowed: each folder may import
// those before it.
func groundFloor() []string {
	return []string{"pkg/fault", "pkg/calendar", "pkg/money", "pkg/identity", "pkg/llm", "pkg/effect", "pkg/email",
		"pkg/work", "pkg/speech",
		"pkg/rawjson", "pkg/csv", "pkg/egress", "pkg/chart", "pkg/plaintext", "pkg/vocabulary", "pkg/intent"}
}

// runtimeFolders are the assistants' runtimes. They stand before their profiles
// in floors, since the folder of those is above them.
func runtimeFolders() []string {
	var list []string
	for _, d := range domains() {
		list = append(list, strings.Replace(d, "pkg/", "pkg/assistants/", 1))
	}
	return list
}

// planning is the domain that builds on another.
const planning = "pkg/planner"

func domains() []string {
	return []string{"pkg/hospitality", "pkg/travel", "pkg/finance", "pkg/portfolio", planning}
}

func adapters() []string {
	return []string{"pkg/openai", "pkg/supabase", "pkg/duffel", "pkg/mcptools", "pkg/httptools", "pkg/mail", "pkg/sqs"}
}

// border says where a package from outside may be imported.
type border struct {
	outside []string // import paths, each with everything below it
	about   []string // the folders that the rule is about
	except  []string // the folders among them that may
	why     string
}

func borders() []border {
	product := []string{"pkg", "functions"}
	return []border{
		{
			outside: []string{"github.com/openai/openai-go"}, about: product, except: []string{"pkg/openai"},
			why: "the model's SDK enters through pkg/openai alone; the rest speaks pkg/llm",
		},
		{
			outside: []string{"github.com/supabase-community"}, about: product, except: []string{"pkg/supabase"},
			why: "Supabase's libraries enter through pkg/supabase alone; the rest speaks the contracts of the domains",
		},
		{
			outside: []string{"github.com/aws/aws-lambda-go"}, about: product, except: []string{"pkg/boot"},
			why: "only the door knows that it stands in Lambda; every handler is an http.Handler",
		},
		{
			outside: []string{"github.com/wneessen/go-mail", "net/smtp"}, about: product, except: []string{"pkg/mail"},
			why: "SMTP enters through pkg/mail alone; the rest speaks pkg/email",
		},
		{
			outside: []string{"github.com/modelcontextprotocol/go-sdk"}, about: product,
			except: []string{"pkg/mcptools", "pkg/api/mcp"},
			why: "MCP enters through pkg/mcptools, as a client, and pkg/api/mcp, as a server; the rest speaks " +
				"pkg/tool",
		},
		{
			outside: []string{"github.com/xuri/excelize", "codeberg.org/go-pdf/fpdf"}, about: product,
			except: []string{"pkg/export"},
			why: "files for people are written by pkg/export alone; every other function would carry the " +
				"libraries for nothing",
		},
		{
			outside: []string{"github.com/gen2brain/heic"}, about: product, except: []string{"pkg/uploads/photo"},
			why: "photos are decoded by pkg/uploads/photo alone, which checks their sizes first",
		},
		{
			outside: []string{"github.com/jackc", "database/sql"}, about: product,
			why: "functions reach the database through its REST door, where the row policies hold; SQL belongs to " +
				"infra and scripts",
		},
		{
			outside: []string{"net/http", "github.com/go-chi", "github.com/rs/zerolog"},
			about: append(domains(), "pkg/conversations", "pkg/users", "pkg/feedback", "pkg/intents", "pkg/uploads",
				"pkg/summary"),
			why: "a domain knows no HTTP and no logger: it returns values and faults",
		},
	}
}

// heavy lists what no function but its carriers may contain, however
// indirectly, with what it costs at every cold start.
func heavy() map[string]string {
	return map[string]string{
		"github.com/xuri/excelize":         "several MB for spreadsheets",
		"codeberg.org/go-pdf/fpdf":         "several MB for PDF files",
		"github.com/go-pdf/fpdf":           "several MB for PDF files",
		"github.com/gen2brain/heic":        "a decoder of HEIC photos and a WebAssembly runtime, 4 MB",
		"github.com/tiktoken-go/tokenizer": "12 MB of tables; tokens are estimated instead",
		"github.com/getkin/kin-openapi":    "it checks documents in tests",
		"github.com/jackc/pgx":             "a second way to the database, past the row policies",
	}
}

// findings judges the packages and returns one sentence for each breach.
func findings(packages []goPackage) []string {
	var found []string
	say := func(p goPackage, imported, why string) {
		found = append(found, fmt.Sprintf("%s imports %s: %s", p.ImportPath, imported, why))
	}
	for _, p := range packages {
		if within(p.ImportPath, "pkg") {
			own, known := floorOf(p.ImportPath)
			if !known {
				found = append(found, p.ImportPath+
					" stands on no floor: say in floors, in infra/house_rules_test.go, who it is and what it may "+
					"import")
			}
			for _, imported := range p.Imports {
				if ours(imported) && known && !allowed(own, p.ImportPath, imported) {
					say(p, imported, own.why)
				}
			}
		}
		if within(p.ImportPath, "pkg") || within(p.ImportPath, "functions") {
			for _, imported := range p.Imports {
				if within(imported, "pkg/assistants/examples") {
					say(p, imported, "examples are for the built-in model and for evaluations; prompts are written "+
						"for real models")
				}
				if within(imported, "infra/local") {
					say(p, imported, "stand-ins are for development and tests; deployed code must not be able to "+
						"fall back on them")
				}
			}
		}
		for _, b := range borders() {
			if !withinAny(p.ImportPath, b.about) || withinAny(p.ImportPath, b.except) {
				continue
			}
			for _, imported := range p.Imports {
				if withinAny(imported, b.outside) {
					say(p, imported, b.why)
				}
			}
		}
		if within(p.ImportPath, "functions") && p.Name == "main" {
			found = append(append(found, weights(p)...), burdens(p)...)
		}
	}
	return found
}

// carriers are the functions that may contain a heavy library: the one whose
// work it is, and the server, which is every function in one process.
func carriers() map[string][]string {
	files := []string{"functions/export", "functions/server"}
	// What runs tools mails invoices, with their PDF; plans of trips are saved as one.
	return map[string][]string{"github.com/xuri/excelize": files,
		"codeberg.org/go-pdf/fpdf":  slices.Concat(files, runs(), []string{"functions/travel"}),
		"github.com/gen2brain/heic": {"functions/uploads", "functions/server"}}
}

// runs are the functions that run turns or tools, and may carry what that takes.
func runs() []string {
	return []string{"functions/chat", "functions/tools", "functions/mcp", "functions/server"}
}

// subjects are the folders of domains that a function serves without running turns
// or tools.
func subjects() map[string][]string {
	return map[string][]string{"functions/projects": {"pkg/portfolio/projects", "pkg/portfolio/publish",
		"pkg/portfolio/page", "pkg/portfolio/privacy"},
		"functions/travel": {"pkg/travel/travellers", "pkg/travel/preferences", "pkg/travel/itinerary",
			"pkg/travel/bookings", "pkg/travel/customtools", "pkg/travel/flights", "pkg/travel/places",
			"pkg/travel/stays",
			"pkg/planner"}}
}

// burdens reports what a function carries of assistants' runtimes.
func burdens(p goPackage) []string {
	var found []string
	for _, dep := range p.Deps {
		dep = strings.TrimPrefix(dep, module+"/")
		if withinAny(dep, append(runtimeFolders(), domains()...)) && !slices.Contains(runs(), p.ImportPath) &&
			!withinAny(dep, subjects()[p.ImportPath]) {
			found = append(found, fmt.Sprintf("%s leads to %s: it runs no turns and no tools, profiles are all it "+
				"needs of assistants", p.ImportPath, dep))
		}
	}
	return found
}

// weights reports the heavy libraries that a function drags along.
func weights(p goPackage) []string {
	var found []string
	for _, dep := range p.Deps {
		for lib, cost := range heavy() {
			if within(dep, lib) && !slices.Contains(carriers()[lib], p.ImportPath) {
				found = append(found, fmt.Sprintf("%s leads to %s: %s; `go mod why %s` shows the way", p.ImportPath,
					dep, cost, dep))
			}
		}
	}
	slices.Sort(found)
	return found
}

// floorOf finds the floor on which a folder stands.
func floorOf(folder string) (floor, bool) {
	for _, f := range floors() {
		if withinAny(folder, f.folders) {
			return f, true
		}
	}
	return floor{}, false
}

// allowed reports whether a package on one floor may import another of ours.
func allowed(own floor, importer, imported string) bool {
	for _, f := range own.folders {
		// The parts of one adapter and of one domain may know each other.
		if within(importer, f) && within(imported, f) {
			below, _ := floorOf(imported)
			return below.name == own.name
		}
	}
	if own.name == "ground" {
		order := groundFloor()
		at := func(folder string) int {
			return slices.IndexFunc(order, func(f string) bool { return within(folder, f) })
		}
		return at(imported) >= 0 && at(imported) < at(importer)
	}
	if withinAny(imported, own.may) {
		return true
	}
	below, known := floorOf(imported)
	return known && slices.Contains(own.may, below.name)
}

// ours reports whether an import path, made relative, is of this module.
func ours(path string) bool {
	return withinAny(path, []string{"pkg", "infra", "functions", "scripts"})
}

// within reports whether a path is a folder or below it. A module's major
// version counts as below: "…/openai-go/v3" is within "…/openai-go".
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

func withinAny(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return within(path, f) })
}
