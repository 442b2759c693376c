package infra_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/goccy/go-yaml"
)

var update = flag.Bool("update", false, "write the generated files anew")

// The head of the generated file.
const openAPIHead = `# Generated from the Go types and infra/testdata/openapi/doors.yaml by
#   go test ./infra -run OpenAPI -update
# Do not edit.
`

func mustDocument(t *testing.T) yaml.MapSlice {
	t.Helper()
	doc, err := openAPIOnce()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The document is made and read once: it is large, and no test changes it.
var (
	openAPIOnce = sync.OnceValues(openAPIDocument)
	openAPIText = sync.OnceValues(func() (string, error) {
		doc, err := openAPIOnce()
		if err != nil {
			return "", err
		}
		return asJSON(doc)
	})
	openAPIRead = sync.OnceValues(func() (*openapi3.T, error) {
		text, err := openAPIText()
		if err != nil {
			return nil, err
		}
		return openapi3.NewLoader().LoadFromData([]byte(text))
	})
)

// loaded returns the document as other programs read it.
func loaded(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openAPIRead()
	if err != nil {
		t.Fatalf("the document does not load: %v", err)
	}
	return doc
}

// load reads the document as other programs do.
func load(t *testing.T, text string) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		t.Fatalf("the document does not load: %v", err)
	}
	return doc
}

func TestOpenAPIIsWhatTheCodeSays(t *testing.T) {
	doc := mustDocument(t)
	body, err := yaml.MarshalWithOptions(doc, yaml.IndentSequence(true), yaml.UseLiteralStyleIfMultiline(true))
	if err != nil {
		t.Fatal(err)
	}
	asText, err := openAPIText()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"openapi.yaml": openAPIHead + string(body),
		filepath.Join(root, "pkg", "api", "openapi", "openapi.json"): asText,
	} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		have, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(have) != want {
			t.Errorf("%s is out of date; go test ./infra -run OpenAPI -update writes it anew", path)
		}
		if err := load(t, string(have)).Validate(t.Context()); err != nil {
			t.Errorf("%s is not valid OpenAPI: %v", path, err)
		}
	}
}

// operations returns the document's operations as "POST /api/chat".
func operations(doc *openapi3.T) []string {
	var found []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			found = append(found, method+" "+path)
		}
	}
	slices.Sort(found)
	return found
}

func TestOpenAPIKnowsEveryDoor(t *testing.T) {
	told := operations(loaded(t))
	registered := []string{"GET /api/openapi.json"} // whose handler is mounted by the functions
	for _, folder := range []string{"pkg/api/chat", "pkg/api/tools", "pkg/api/mcp", "pkg/api/transcribe",
		"pkg/api/users",
		"pkg/api/export", "pkg/api/uploads", "pkg/api/feedback", "pkg/api/summarize", "pkg/api/conversations",
		"pkg/api/intents", "pkg/api/projects", "pkg/api/travel", "pkg/boot"} {
		patterns, err := routePatterns(folder)
		if err != nil {
			t.Fatal(err)
		}
		if len(patterns) == 0 {
			t.Errorf("%s registers no pattern that this test can see", folder)
		}
		registered = append(registered, patterns...)
	}
	for _, p := range registered {
		if !slices.Contains(told, p) {
			t.Errorf("%s is registered but not described", p)
		}
	}
	for _, p := range told {
		if !slices.Contains(registered, p) {
			t.Errorf("%s is described but not registered", p)
		}
	}
}

// Schemas that are written by hand, because their types are in no other endpoint
// business, name the members that the code names.
func TestOpenAPINamesTheMembersOfUnexportedTypes(t *testing.T) {
	schemas := loaded(t).Components.Schemas
	for _, tc := range []struct{ folder, typeName, schema string }{
		{"pkg/api/chat", "request", "ChatRequest"},
		{"pkg/api/chat", "confirm", "Confirm"},
		{"pkg/api/chat", "completionRequest", "CompletionRequest"},
		{"pkg/api/chat", "responseRequest", "ResponseRequest"},
		{"pkg/api/chat", "modelObject", "Model"},
		{"pkg/api/tools", "listed", "ListedTool"},
		{"pkg/api/tools", "answer", "ToolAnswer"},
		{"pkg/api/tools", "settlement", "Settlement"},
		{"pkg/api/mcp", "message", "MCPMessage"},
		{"pkg/api/mcp", "structured", "MCPContent"},
		{"pkg/api/mcp", "RemoteServer", "RemoteServer"},
		{"pkg/api/mcp", "RemoteTool", "RemoteTool"},
		{"pkg/api/mcp", "remoteTest", "RemoteTest"},
		{"pkg/api/mcp", "RemoteResult", "RemoteResult"},
		{"pkg/api/transcribe", "answer", "TranscriptAnswer"},
		{"pkg/api/transcribe", "chunk", "TranscriptChunk"},
		{"pkg/api/transcribe", "transcriptionVerbose", "Transcription"},
		{"pkg/api/uploads", "announced", "AnnouncedFile"},
		{"pkg/api/uploads", "file", "File"},
		{"pkg/api/uploads", "download", "FileDownload"},
		{"pkg/api/users", "newUser", "NewUser"},
		{"pkg/api/users", "created", "CreatedUser"},
		{"pkg/api/users", "newRole", "UserChange"},
		{"pkg/api/users", "self", "Self"},
		{"pkg/api/users", "session", "Session"},
		{"pkg/api/users", "choice", "OrgChoice"},
		{"pkg/api/export", "request", "ExportRequest"},
		{"pkg/api/summarize", "request", "SummarizeRequest"},
		{"pkg/api/summarize", "answer", "SummarizeAnswer"},
		{"pkg/api/summarize", "wish", "SummaryWish"},
		{"pkg/api/summarize", "state", "SummaryState"},
		{"pkg/summary", "Report", "SummaryReport"},
		{"pkg/api/summarize", "hooked", "SummaryHook"},
		{"pkg/api/conversations", "page", "ConversationPage"},
		{"pkg/api/conversations", "opening", "ConversationOpening"},
		{"pkg/api/conversations", "opened", "OpenedConversation"},
		{"pkg/api/conversations", "only", "ConversationAnswer"},
		{"pkg/api/conversations", "changes", "ConversationChange"},
		{"pkg/api/conversations", "loaded", "ConversationContext"},
		{"pkg/api/conversations", "part", "MessagePage"},
		{"pkg/api/conversations", "appending", "KeepMessages"},
		{"pkg/api/conversations", "persons", "People"},
		{"pkg/api/conversations", "invitation", "Invitation"},
		{"pkg/api/feedback", "request", "FeedbackRequest"},
		{"pkg/api/feedback", "entry", "FeedbackEntry"},
		{"pkg/api/intents", "body", "IntentBody"},
		{"pkg/api/intents", "decision", "IntentDecision"},
		{"pkg/api/intents", "tried", "IntentTried"},
		{"pkg/api/intents", "asked", "IntentGeneration"},
		{"pkg/api/intents", "written", "IntentWritten"},
		{"pkg/api/projects", "listed", "ProjectList"},
		{"pkg/api/projects", "one", "ProjectAnswer"},
		{"pkg/api/projects", "history", "ProjectVersions"},
		{"pkg/api/projects", "beginning", "ProjectBeginning"},
		{"pkg/api/projects", "attaching", "ProjectAttaching"},
		{"pkg/api/projects", "arrangement", "ProjectArrangement"},
		{"pkg/api/projects", "link", "ProjectImageLink"},
		{"pkg/api/projects", "publishing", "ProjectPublishing"},
		{"pkg/api/projects", "checked", "ProjectChecked"},
		{"pkg/api/projects", "archiving", "ProjectArchiving"},
		{"pkg/api/projects", "profiled", "BusinessAnswer"},
		{"pkg/api/travel", "travellerList", "TravellerList"},
		{"pkg/api/travel", "travellerAnswer", "TravellerAnswer"},
		{"pkg/api/travel", "travellerForm", "TravellerForm"},
		{"pkg/api/travel", "preferencesAnswer", "PreferencesAnswer"},
		{"pkg/api/travel", "decisionList", "DecisionList"},
		{"pkg/api/travel", "decisionAnswer", "DecisionAnswer"},
		{"pkg/api/travel", "decisionForm", "DecisionForm"},
		{"pkg/api/travel", "tripList", "TripList"},
		{"pkg/api/travel", "tripAnswer", "TripAnswer"},
		{"pkg/api/travel", "tripProblem", "TripProblem"},
		{"pkg/api/travel", "customToolList", "CustomToolList"},
		{"pkg/api/travel", "customToolAnswer", "CustomToolAnswer"},
		{"pkg/api/travel", "customToolForm", "CustomToolForm"},
		{"pkg/api/travel", "customToolTrial", "CustomToolTrial"},
		{"pkg/api/travel", "customToolTried", "CustomToolTried"},
		{"pkg/api/travel", "companionForm", "CompanionForm"},
		{"pkg/api/travel", "planList", "TripPlanList"},
		{"pkg/api/travel", "planAnswer", "TripPlanAnswer"},
		{"pkg/api/travel", "runList", "PlanRunList"},
		{"pkg/api/travel", "runAnswer", "PlanRunAnswer"},
		{"pkg/api/travel", "selectionForm", "SelectionForm"},
		{"pkg/api/travel", "swapForm", "SwapForm"},
		{"pkg/api/travel", "shareForm", "ShareForm"},
		{"pkg/api/travel", "shareList", "PlanShareList"},
		{"pkg/api/travel", "bookingList", "TravelBookingList"},
		{"pkg/api/travel", "searchList", "SearchList"},
		{"pkg/stream", "startedData", "ExecutingToolEvent"},
		{"pkg/stream", "finishedData", "ToolResultEvent"},
		{"pkg/stream", "committedData", "WriteCommittedEvent"},
		{"pkg/stream", "textData", "ResponseChunkEvent"},
	} {
		t.Run(tc.schema, func(t *testing.T) {
			want, err := wireMembers(tc.folder, tc.typeName)
			if err != nil {
				t.Fatal(err)
			}
			var have []string
			for name := range schemas[tc.schema].Value.Properties {
				have = append(have, name)
			}
			slices.Sort(want)
			slices.Sort(have)
			if !slices.Equal(have, want) {
				t.Errorf("it has the members %s, and the code %s", strings.Join(have, " "), strings.Join(want, " "))
			}
		})
	}
}
