package infra_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Nothing that a schedule or a queue starts is lost without a trace: whatever
// fails for good stands in a queue for an operator to look at.
func TestJobsThatFailAreSetAside(t *testing.T) {
	template := readTemplate(t)
	resources := mapAt(template, "Resources")
	queueOf := func(value any) string { // the logical name in !GetAtt Queue.Arn
		name, _, _ := strings.Cut(fmt.Sprint(value.(intrinsic).arg), ".")
		if at(resources, name, "Type") != "AWS::SQS::Queue" {
			t.Errorf("%s is no queue", name)
		}
		return name
	}
	jobs := 0
	for id := range resources {
		timeout, _ := at(resources, id, "Properties", "Timeout").(int)
		for name, event := range mapAt(resources, id, "Properties", "Events") {
			jobs++
			p := mapAt(event, "Properties")
			switch at(event, "Type") {
			case "ScheduleV2":
				failed := queueOf(at(resources, id, "Properties", "EventInvokeConfig", "DestinationConfig",
					"OnFailure", "Destination"))
				if queueOf(at(p, "DeadLetterConfig", "Arn")) != failed {
					t.Errorf("%s.%s has two places for what fails", id, name)
				}
				if input := fmt.Sprint(p["Input"]); !json.Valid([]byte(input)) ||
					!strings.Contains(input, `"schedule"`) {
					t.Errorf("%s.%s sends %s, which the function does not know", id, name, input)
				}
			case "SQS":
				queue := queueOf(p["Queue"])
				if answers := fmt.Sprint(p["FunctionResponseTypes"]); answers != "[ReportBatchItemFailures]" {
					t.Errorf("%s.%s: one message that fails would bring the whole batch again (%s)", id, name, answers)
				}
				if hidden, _ := at(resources, queue, "Properties", "VisibilityTimeout").(int); hidden < 6*timeout {
					t.Errorf("%s hides a message for %d seconds, want six times the function's %d", queue, hidden,
						timeout)
				}
				aside := at(resources, queue, "Properties", "RedrivePolicy", "deadLetterTargetArn")
				if n, _ := at(resources, queue, "Properties", "RedrivePolicy",
					"maxReceiveCount").(int); queueOf(aside) == queue || n < 2 || n > 10 {
					t.Errorf("%s sets nothing aside, or after %d attempts", queue, n)
				}
				most, _ := at(p, "ScalingConfig", "MaximumConcurrency").(int)
				if all := number(template, at(resources, id, "Properties",
					"ReservedConcurrentExecutions")); most < 2 || most >= all {
					t.Errorf("%s.%s may take %d of %d places: none is left for people", id, name, most, all)
				}
			default:
				t.Errorf("%s.%s is of a kind that this test does not know", id, name)
			}
		}
	}
	if jobs == 0 {
		t.Error("there are no jobs")
	}
}

// What Vercel calls by its clock is there.
func TestCronsOfVercelLeadSomewhere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "vercel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Crons []struct{ Path, Schedule string }
	}
	if err := json.Unmarshal(text, &file); err != nil || len(file.Crons) == 0 {
		t.Fatalf("vercel.json has %d crons, %v", len(file.Crons), err)
	}
	patterns, err := routePatterns("pkg/api/summarize")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Crons {
		if !slices.Contains(patterns, "GET "+c.Path) || len(strings.Fields(c.Schedule)) != 5 {
			t.Errorf("nothing answers GET %s at %q", c.Path, c.Schedule)
		}
	}
}
