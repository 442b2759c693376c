package infra_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTemplateRules shows that the walkers over the template find what is
// wrong, on templates that are wrong.
func TestTemplateRules(t *testing.T) {
	const base = `
Parameters: { Model: { Type: String } }
Resources:
  Chat: { Type: AWS::Serverless::Function, Properties: { FunctionUrlConfig: { AuthType: NONE } } }
  Queue: { Type: AWS::SQS::Queue }
Outputs:
  Out: { Value: `
	tests := map[string]struct {
		value string // the value of the output
		want  string // a part of the one finding; empty when all is well
	}{
		"a parameter is there":              {value: "!Ref Model"},
		"a resource is there":               {value: "!Ref Queue"},
		"a pseudo parameter is there":       {value: `!Ref "AWS::Region"`},
		"a URL is made by SAM":              {value: "!GetAtt ChatUrl.FunctionUrl"},
		"a queue has an address":            {value: "!GetAtt Queue.Arn"},
		"a text may hold names":             {value: `!Sub "${Model}-${Queue.Arn}-${!Literal}"`},
		"a misspelt parameter is found":     {value: "!Ref Modell", want: "leads nowhere"},
		"a misspelt attribute is found":     {value: "!GetAtt Queue.Url", want: "leads nowhere"},
		"a URL that nobody asked for":       {value: "!GetAtt QueueUrl.FunctionUrl", want: "leads nowhere"},
		"a misspelt name in a text":         {value: `!Sub "${Model}-${Que}"`, want: "!Sub Que leads nowhere"},
		"a parameter has no attributes":     {value: "!GetAtt Model.Arn", want: "leads nowhere"},
		"an unknown function is not passed": {value: "!Select [0, [a]]", want: "not understood"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			value, err := parseYAML([]byte(base + test.value + " }\n"))
			if err != nil {
				t.Fatal(err)
			}
			got := dangling(value.(map[string]any))
			if test.want == "" && len(got) > 0 || test.want != "" &&
				(len(got) != 1 || !strings.Contains(got[0], test.want)) {
				t.Fatalf("findings are %q, want %q", got, test.want)
			}
		})
	}
}

func TestUnknownKeys(t *testing.T) {
	value, err := parseYAML([]byte("Type: AWS::Serverless::Function\nProperties:\n  TimeOut: 3\n  " +
		"FunctionUrlConfig: { InvokeMod: BUFFERED }\n  Environment: { Variables: { ANY: thing } }\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := unknownKeys("Chat", value, resourceShape(functionType))
	want := []string{"Chat.Properties.FunctionUrlConfig.InvokeMod", "Chat.Properties.TimeOut"}
	if !slices.Equal(got, want) {
		t.Fatalf("unknown keys are %q, want %q", got, want)
	}
}

func TestParseYAML(t *testing.T) {
	for name, text := range map[string]string{
		"refuses a key that is there twice": "A: 1\nB: 2\nA: 3\n",
		"refuses two documents":             "A: 1\n---\nB: 2\n",
		"refuses an empty value":            "A:\nB: 1\n",
		"refuses an alias":                  "A: &x 1\nB: *x\n",
	} {
		t.Run(name, func(t *testing.T) {
			if value, err := parseYAML([]byte(text)); err == nil {
				t.Fatalf("it was read as %v", value)
			}
		})
	}
}

// TestSettings follows settings through the ways in which code of ours reads
// them.
func TestSettings(t *testing.T) {
	home := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("functions/f/main.go", `package main
import door "`+module+`/pkg/boot"
func main() { door.Run(build) }
func build() { var own struct{ X string `+"`env:\"OWN, required\"`"+` }; _ = own }
`)
	write("pkg/boot/run.go", `package boot
import ("os"; "`+module+`/pkg/boot/parts")
func Run(f func()) { var s Service; s.start() }
type Service struct { Shared }
func (s Service) start() { os.Getenv("BY_METHOD"); parts.Open() }
type Shared struct { X string `+"`env:\"EMBEDDED\"`"+` }
type Other struct { X string `+"`env:\"UNUSED\"`"+` }
`)
	write("pkg/boot/parts/parts.go", `package parts
import "os"
func Open() { os.LookupEnv("FAR") }
func Shut() { os.LookupEnv("NEVER") }
`)
	write("pkg/boot/run_test.go", `package boot
type Service struct { X string `+"`env:\"IN_TEST\"`"+` }
`)

	got := newSource(t, home).settings("functions/f")
	want := map[string]string{"OWN": "functions/f.build", "BY_METHOD": "pkg/boot.Service",
		"EMBEDDED": "pkg/boot.Shared", "FAR": "pkg/boot/parts.Open"}
	for name, where := range want {
		if got[name] != where {
			t.Errorf("%s is read by %q, want %q", name, got[name], where)
		}
	}
	if len(got) != len(want) {
		t.Errorf("settings are %q, want those of %q", got, want)
	}
}
