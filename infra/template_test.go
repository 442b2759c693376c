package infra_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// functionType is the resource that stands for one folder under functions.
const functionType = "AWS::Serverless::Function"

// farewell is what a turn's time limit leaves of the function's own, so that
// the last event still reaches the reader.
const farewell = 5 * time.Second

// notInTemplate names the settings that code may read although no template
// sets them, with the reason.
func notInTemplate() map[string]string {
	return map[string]string{
		"MAX_REQUESTS":  "an instance of Lambda has one request at a time",
		"CRON_SECRET":   "schedulers that know only addresses send it; Lambda's sends events",
		"PORT":          "Vercel and laptops choose the port",
		"BELLHOP_NOW":   "a chosen clock is for development",
		"BELLHOP_LOCAL": "the platform decides where a deployed function listens",
		"MOCK_OPENAI":   "a stand-in model is for development; a deployed function refuses to start with it",
		"SUPABASE_JWT_SECRET": "for projects that still sign with HS256; who holds it can sign as anybody, so the " +
			"template does not invite it",
	}
}

// S0-56, SB-5: what is deployed on AWS Lambda and on Vercel, each function once, with its time
// limit; of Vercel 60 to 300 seconds.
func TestTemplate(t *testing.T) {
	template := readTemplate(t)
	resources := mapAt(template, "Resources")
	deployed := functionResources(template)

	t.Run("knows every key it uses", func(t *testing.T) {
		unknown := unknownKeys("template", template, topShape())
		for name, p := range mapAt(template, "Parameters") {
			unknown = append(unknown, unknownKeys(name, p, parameterShape())...)
		}
		for name, o := range mapAt(template, "Outputs") {
			unknown = append(unknown, unknownKeys(name, o, shape{"Description": nil, "Value": nil})...)
		}
		for name := range resources {
			kind, _ := at(resources, name, "Type").(string)
			if properties()[kind] == nil {
				t.Errorf("%s is a %q: list its properties in template_shape_test.go", name, kind)
			}
			unknown = append(unknown, unknownKeys(name, resources[name], resourceShape(kind))...)
		}
		for _, key := range unknown {
			t.Errorf("%s is no property that we know; is it misspelt?", key)
		}
	})

	t.Run("refers only to what it has", func(t *testing.T) {
		for _, sentence := range dangling(template) {
			t.Error(sentence)
		}
	})

	t.Run("uses every parameter", func(t *testing.T) {
		used := map[string]bool{}
		walk("", template, func(_ string, fn intrinsic) {
			for _, name := range namesIn(fn) {
				used[name] = true
			}
		})
		for name := range mapAt(template, "Parameters") {
			if !used[name] {
				t.Errorf("parameter %s is asked for and used nowhere", name)
			}
		}
	})

	t.Run("has one resource for each function", func(t *testing.T) {
		served := vercelFunctions(t)
		for _, name := range functionNames(t) {
			places := len(deployed[name])
			if slices.Contains(served, name) {
				places++
			}
			if places != 1 {
				t.Errorf("functions/%s is deployed in %d places (template.yaml: %q, vercel.json: %q), want one", name,
					places, deployed[name], served)
			}
		}
	})

	for folder, ids := range deployed {
		for _, id := range ids {
			t.Run(id, func(t *testing.T) { checkFunction(t, template, folder, id) })
		}
	}
}

// functionResources maps each folder under functions to the logical names of
// the resources that are built from it.
func functionResources(template map[string]any) map[string][]string {
	found := map[string][]string{}
	resources := mapAt(template, "Resources")
	for _, id := range slices.Sorted(maps.Keys(resources)) {
		if at(resources, id, "Type") == functionType {
			uri, _ := at(resources, id, "Properties", "CodeUri").(string)
			name := strings.Trim(strings.TrimPrefix(uri, "functions/"), "/")
			found[name] = append(found[name], id)
		}
	}
	return found
}

// checkFunction holds one function's resource to what Lambda and the house
// ask for.
func checkFunction(t *testing.T, template map[string]any, folder, id string) {
	resource := mapAt(template, "Resources", id)
	// A function's own properties win over those of Globals.
	setting := func(key string) any {
		if own := at(resource, "Properties", key); own != nil {
			return own
		}
		return at(template, "Globals", "Function", key)
	}

	if uri := at(resource, "Properties", "CodeUri"); uri != "functions/"+folder+"/" {
		t.Errorf("CodeUri is %v, want functions/<name>/", uri)
	}
	if _, err := os.Stat(filepath.Join(root, "functions", folder, "main.go")); err != nil {
		t.Errorf("CodeUri leads to no program: %v", err)
	}
	for key, want := range map[string]string{"Handler": "bootstrap", "Runtime": "provided.al2023",
		"Architectures": "[arm64]"} {
		if got := fmt.Sprint(setting(key)); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	if got := at(resource, "Metadata", "BuildMethod"); got != "go1.x" {
		t.Errorf("BuildMethod is %v; only go1.x builds in place, where go.mod is found", got)
	}
	timeout, _ := setting("Timeout").(int)
	if timeout < 1 || timeout > 900 {
		t.Errorf("Timeout is %v, want 1 to 900 seconds", setting("Timeout"))
	}
	if n := number(template, at(resource, "Properties", "ReservedConcurrentExecutions")); n < 1 {
		t.Errorf("ReservedConcurrentExecutions is %d: each function has a limit of its own, so that none can spend "+
			"without bound", n)
	}
	checkDoor(t, template, folder, id)
	checkEnvironment(t, template, folder, resource, time.Duration(timeout)*time.Second)
}

// checkDoor demands both permissions of a function with a public URL, since one
// alone answers 403 to everybody, and that program and URL agree on streaming.
func checkDoor(t *testing.T, template map[string]any, folder, id string) {
	url := mapAt(template, "Resources", id, "Properties", "FunctionUrlConfig")
	if len(url) == 0 {
		return
	}
	if mode := url["InvokeMode"]; mode != "RESPONSE_STREAM" && mode != "BUFFERED" {
		t.Errorf("InvokeMode is %v: say RESPONSE_STREAM or BUFFERED, the program is built for one of them", mode)
	}
	program, err := os.ReadFile(filepath.Join(root, "functions", folder, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	if streams := strings.Contains(string(program),
		"Streaming: true"); streams != (url["InvokeMode"] == "RESPONSE_STREAM") {
		t.Errorf("InvokeMode is %v and main.go says Streaming: %v: the answer's bytes would be read in the wrong form",
			url["InvokeMode"], streams)
	}
	if auth := url["AuthType"]; auth != "NONE" {
		t.Errorf("AuthType is %v, want NONE: browsers call with a user's JWT, which the function verifies", auth)
	}
	may := map[string]int{}
	for _, r := range mapAt(template, "Resources") {
		if at(r, "Type") != "AWS::Lambda::Permission" || at(r, "Properties", "FunctionName") != any(intrinsic{"!Ref",
			id}) {
			continue
		}
		action := fmt.Sprint(at(r, "Properties", "Action"))
		may[action]++
		if at(r, "Properties", "Principal") != "*" {
			t.Errorf("the permission %s is not for everybody", action)
		}
		switch {
		case action == "lambda:InvokeFunctionUrl" && at(r, "Properties", "FunctionUrlAuthType") != "NONE":
			t.Error("lambda:InvokeFunctionUrl lacks FunctionUrlAuthType: NONE")
		case action == "lambda:InvokeFunction" && at(r, "Properties", "InvokedViaFunctionUrl") != true:
			t.Error("lambda:InvokeFunction lacks InvokedViaFunctionUrl: true, and so lets any AWS account invoke " +
				"the function directly")
		}
	}
	for _, action := range []string{"lambda:InvokeFunctionUrl", "lambda:InvokeFunction"} {
		if may[action] != 1 {
			t.Errorf("%d permissions for %s, want one", may[action], action)
		}
	}
}

// checkEnvironment compares what the template sets with what the code reads.
func checkEnvironment(t *testing.T, template map[string]any, folder string, resource map[string]any,
	timeout time.Duration) {
	set := maps.Clone(mapAt(template, "Globals", "Function", "Environment", "Variables"))
	maps.Copy(set, mapAt(resource, "Properties", "Environment", "Variables"))
	for name, value := range set {
		if (strings.Contains(name, "SECRET_KEY") || strings.Contains(name, "SERVICE_ROLE")) &&
			!slices.Contains(mayHoldTheKey(), folder) {
			t.Errorf("%s: only users and jobs take the key that stands above the row policies", name)
		}
		var parameter map[string]any
		if ref, ok := value.(intrinsic); ok {
			parameter = mapAt(template, "Parameters", fmt.Sprint(ref.arg))
			value = parameter["Default"]
		}
		secret := (strings.HasSuffix(name, "_KEY") || strings.HasSuffix(name, "_KEYS")) &&
			name != "SUPABASE_PUBLISHABLE_KEY"
		if secret && (parameter["NoEcho"] != true || value != nil) {
			t.Errorf("%s is a secret: it comes from a parameter that says NoEcho: true and has no default", name)
		}
		if name == "TURN_TIMEOUT" {
			limit, err := time.ParseDuration(fmt.Sprint(value))
			if err != nil || limit+farewell > timeout {
				t.Errorf("TURN_TIMEOUT is %v, want a duration at least %v below the function's %v", value, farewell,
					timeout)
			}
		}
	}

	read := newSource(t, root).settings("functions/" + folder)
	if len(read) == 0 {
		t.Errorf("functions/%s reads no setting that this test can find", folder)
	}
	for name, where := range read {
		if _, ok := set[name]; !ok && notInTemplate()[name] == "" && !lambdaSets(name) {
			t.Errorf("%s is read by %s and not set in template.yaml", name, where)
		}
	}
	for name := range set {
		if _, ok := read[name]; !ok {
			t.Errorf("%s is set in template.yaml and functions/%s does not read it", name, folder)
		}
	}
}

// number resolves an integer, or the default of the parameter that stands for
// one. Anything else is zero.
func number(template map[string]any, value any) int {
	if ref, ok := value.(intrinsic); ok && ref.tag == "!Ref" {
		value = at(template, "Parameters", fmt.Sprint(ref.arg), "Default")
	}
	n, _ := value.(int)
	return n
}

// lambdaSets reports whether a variable is Lambda's own.
func lambdaSets(name string) bool {
	return strings.HasPrefix(name, "AWS_") || strings.HasPrefix(name, "_X_AMZN_") || strings.HasPrefix(name, "LAMBDA_")
}

func TestEnvExample(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".env.example"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	meaning := false // the line before says what the setting means
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		name, value, isSetting := strings.Cut(strings.TrimPrefix(line, "#"), "=")
		if isSetting && name != "" && strings.ToUpper(name) == name && !strings.Contains(name, " ") {
			if !meaning {
				t.Errorf("%s: the line above must say what it means", name)
			}
			if listed[name] {
				t.Errorf("%s is listed twice", name)
			}
			if strings.HasSuffix(name, "_KEY") && value != "" {
				t.Errorf("%s has a value: keys stay out of the repository", name)
			}
			listed[name], meaning = true, false
			continue
		}
		meaning = strings.HasPrefix(line, "# ")
	}
	read := map[string]string{}
	for _, name := range functionNames(t) {
		maps.Copy(read, newSource(t, root).settings("functions/"+name))
	}
	for name, where := range read {
		if !listed[name] && !lambdaSets(name) {
			t.Errorf("%s is read by %s and not in .env.example", name, where)
		}
	}
	for name := range listed {
		// The names with DEV_ are the local stack's.
		if _, ok := read[name]; !ok && !strings.HasPrefix(name, "DEV_") {
			t.Errorf("%s is in .env.example and no function reads it", name)
		}
	}
}

// vercelFunctions lists the functions that vercel.json builds, after checking
// what it says about them.
func vercelFunctions(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "vercel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Builds []struct {
			Src, Use string
			Config   struct {
				Framework string
				Functions map[string]struct{ MaxDuration int }
			}
		}
		Env map[string]string
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatalf("vercel.json: %v", err)
	}
	if len(file.Env) > 0 {
		t.Error("vercel.json sets variables: they belong to the project's settings, where secrets are kept")
	}
	var names []string
	for _, b := range file.Builds {
		name, ok := strings.CutSuffix(strings.TrimPrefix(b.Src, "functions/"), "/main.go")
		if !ok || "functions/"+name+"/main.go" != b.Src {
			t.Errorf("vercel.json builds %q, want functions/<name>/main.go", b.Src)
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(b.Src))); err != nil {
			t.Errorf("vercel.json builds what is not there: %v", err)
		}
		if b.Use != "@vercel/go" || b.Config.Framework != "go" {
			t.Errorf("%s: only @vercel/go with the framework go streams its answers", b.Src)
		}
		if d := b.Config.Functions[b.Src].MaxDuration; d < 60 || d > 300 {
			t.Errorf("%s: maxDuration is %d, want 60 to 300 seconds, stated for exactly this file", b.Src, d)
		}
		names = append(names, name)
	}
	return names
}
