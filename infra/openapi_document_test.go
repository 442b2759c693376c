package infra_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/money"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/planner/options"
	"github.com/bellhop-ai/bellhop/pkg/planner/plans"
	"github.com/bellhop-ai/bellhop/pkg/planner/specialists"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/publish"
	"github.com/bellhop-ai/bellhop/pkg/render"
	"github.com/bellhop-ai/bellhop/pkg/stream"
	"github.com/bellhop-ai/bellhop/pkg/tool"
	"github.com/bellhop-ai/bellhop/pkg/travel/bookings"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
	"github.com/bellhop-ai/bellhop/pkg/travel/itinerary"
	"github.com/bellhop-ai/bellhop/pkg/travel/preferences"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
	"github.com/bellhop-ai/bellhop/pkg/users"
)

// schemaPath is where the document keeps its schemas.
const schemaPath = "#/components/schemas/"

// described is a Go type that clients see, and its name in the document.
type described struct {
	name    string
	of      reflect.Type
	without string // a member that never leaves
}

func describedTypes() []described {
	return []described{
		{name: "Answer", of: reflect.TypeFor[stream.Answer]()},
		{name: "CompleteEvent", of: reflect.TypeFor[stream.Completed]()},
		{name: "Message", of: reflect.TypeFor[stream.Message]()},
		{name: "Usage", of: reflect.TypeFor[stream.Usage]()},
		{name: "PipelineStep", of: reflect.TypeFor[stream.PipelineStep]()},
		{name: "ToolOutcome", of: reflect.TypeFor[stream.ToolResult]()},
		{name: "StreamProblem", of: reflect.TypeFor[stream.Problem]()},
		{name: "Proposal", of: reflect.TypeFor[consent.View]()},
		{
			name:    "Preview",
			of:      reflect.TypeFor[tool.Preview](),
			without: "targets",
		}, // consent.Proposal.View drops them
		{name: "PreviewLine", of: reflect.TypeFor[tool.Line]()},
		{name: "Table", of: reflect.TypeFor[render.Table]()},
		{name: "Column", of: reflect.TypeFor[render.Column]()},
		{name: "Opens", of: reflect.TypeFor[render.Opens]()},
		{name: "Part", of: reflect.TypeFor[part.Part]()},
		{name: "Chart", of: reflect.TypeFor[part.Chart]()},
		{name: "ChartSeries", of: reflect.TypeFor[chart.Series]()},
		{name: "Choices", of: reflect.TypeFor[part.Choices]()},
		{name: "Gallery", of: reflect.TypeFor[part.Gallery]()},
		{name: "Picture", of: reflect.TypeFor[part.Picture]()},
		{name: "Tape", of: reflect.TypeFor[part.Tape]()},
		{name: "TapeRow", of: reflect.TypeFor[part.TapeRow]()},
		{name: "Span", of: reflect.TypeFor[part.Span]()},
		{name: "Press", of: reflect.TypeFor[part.Press]()},
		{name: "FreeDays", of: reflect.TypeFor[part.FreeDays]()},
		{name: "Morning", of: reflect.TypeFor[part.Morning]()},
		{name: "MorningFigure", of: reflect.TypeFor[part.MorningFigure]()},
		{name: "MorningSection", of: reflect.TypeFor[part.MorningSection]()},
		{name: "MorningItem", of: reflect.TypeFor[part.MorningItem]()},
		{name: "Choice", of: reflect.TypeFor[part.Choice]()},
		{name: "Link", of: reflect.TypeFor[part.Link]()},
		{name: "Params", of: reflect.TypeFor[part.Params]()},
		{name: "AppliedParam", of: reflect.TypeFor[part.Applied]()},
		{name: "PendingParam", of: reflect.TypeFor[part.Pending]()},
		{name: "Clarification", of: reflect.TypeFor[part.Clarification]()},
		{name: "Intent", of: reflect.TypeFor[stream.Intent]()},
		{name: "Enrichment", of: reflect.TypeFor[stream.Enrichment]()},
		{name: "Completion", of: reflect.TypeFor[stream.Completion]()},
		{name: "CompletionChoice", of: reflect.TypeFor[stream.Choice]()},
		{name: "CompletionMessage", of: reflect.TypeFor[stream.CompletionMessage]()},
		{name: "CompletionExtra", of: reflect.TypeFor[stream.Extra]()},
		{name: "CompletionUsage", of: reflect.TypeFor[stream.CompletionUsage]()},
		{name: "Response", of: reflect.TypeFor[stream.Response]()},
		{name: "ResponseItem", of: reflect.TypeFor[stream.ResponseItem]()},
		{name: "ResponsePart", of: reflect.TypeFor[stream.ResponsePart]()},
		{name: "ResponseUsage", of: reflect.TypeFor[stream.ResponseUsage]()},
		{name: "APIError", of: reflect.TypeFor[stream.APIError]()},
		{name: "APIProblem", of: reflect.TypeFor[stream.APIProblem]()},
		{name: "Project", of: reflect.TypeFor[projects.Project]()},
		{name: "ProjectItem", of: reflect.TypeFor[projects.Item]()},
		{name: "ProjectVersion", of: reflect.TypeFor[projects.Version]()},
		{name: "ProjectPlace", of: reflect.TypeFor[projects.Place]()},
		{name: "ProjectStory", of: reflect.TypeFor[projects.Story]()},
		{name: "ProjectNote", of: reflect.TypeFor[projects.Note]()},
		{name: "ProjectSEO", of: reflect.TypeFor[projects.SEO]()},
		{name: "ProjectBlock", of: reflect.TypeFor[projects.Block]()},
		{name: "ProjectImage", of: reflect.TypeFor[projects.Image]()},
		{name: "ProjectRendition", of: reflect.TypeFor[projects.Rendition]()},
		{name: "ProjectPrivacy", of: reflect.TypeFor[projects.Private]()},
		{name: "ProjectChanges", of: reflect.TypeFor[projects.Changes]()},
		{name: "ProjectPhotoChange", of: reflect.TypeFor[projects.PhotoChange]()},
		{name: "BusinessProfile", of: reflect.TypeFor[projects.Business]()},
		{name: "PublishReport", of: reflect.TypeFor[publish.Report]()},
		{name: "PublishRule", of: reflect.TypeFor[publish.Rule]()},
		{name: "Traveller", of: reflect.TypeFor[travellers.Traveller]()},
		{name: "Passport", of: reflect.TypeFor[travellers.Passport]()},
		{name: "Preferences", of: reflect.TypeFor[preferences.Preferences]()},
		{name: "PreferencesChanges", of: reflect.TypeFor[preferences.Changes]()},
		{name: "TravelBudget", of: reflect.TypeFor[preferences.Budget]()},
		{name: "Decision", of: reflect.TypeFor[preferences.Decision]()},
		{name: "Trip", of: reflect.TypeFor[itinerary.Trip]()},
		{name: "TripItem", of: reflect.TypeFor[itinerary.Item]()},
		{name: "TripPlan", of: reflect.TypeFor[plans.Plan]()},
		{name: "TripContext", of: reflect.TypeFor[trip.Context]()},
		{name: "PlanRun", of: reflect.TypeFor[plans.Run]()},
		{name: "SpecialistMessage", of: reflect.TypeFor[plans.Message]()},
		{name: "Recommendation", of: reflect.TypeFor[specialists.Recommendation]()},
		{name: "PlanOptions", of: reflect.TypeFor[options.Set]()},
		{name: "PlanOption", of: reflect.TypeFor[options.Option]()},
		{name: "PlanEntry", of: reflect.TypeFor[options.Entry]()},
		{name: "PlanShare", of: reflect.TypeFor[plans.Share]()},
		{name: "Plans", of: reflect.TypeFor[part.Plans]()},
		{name: "PlanView", of: reflect.TypeFor[part.PlanView]()},
		{name: "PlanItem", of: reflect.TypeFor[part.PlanItem]()},
		{name: "PlanAlternative", of: reflect.TypeFor[part.PlanAlternative]()},
		{name: "TravelBooking", of: reflect.TypeFor[bookings.Booking]()},
		{name: "TravelSearch", of: reflect.TypeFor[bookings.Search](), without: "found"},
		{name: "Price", of: reflect.TypeFor[money.Price]()},
		{name: "CustomTool", of: reflect.TypeFor[customtools.Definition]()},
		{name: "CustomToolRequest", of: reflect.TypeFor[customtools.Request]()},
		{name: "FieldProblem", of: reflect.TypeFor[travellers.Problem]()},
		{name: "Org", of: reflect.TypeFor[users.Org]()},
		{name: "User", of: reflect.TypeFor[users.User]()},
		{name: "Problem", of: reflect.TypeFor[httpx.Problem]()},
	}
}

const projectsFolder = "pkg/portfolio/projects"

// openAPIDocument makes the document: the endpoints as written by hand, and the
// schemas of the Go types with the words that were written for them.
func openAPIDocument() (yaml.MapSlice, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "openapi", "doors.yaml"))
	if err != nil {
		return nil, err
	}
	var doc yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &doc, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	components, _ := member(doc, "components").(yaml.MapSlice)
	schemas, _ := member(components, "schemas").(yaml.MapSlice)
	for _, d := range describedTypes() {
		made, err := schemaOf(d)
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", d.name, err)
		}
		words, _ := member(schemas, d.name).(yaml.MapSlice)
		if made, err = withWords(made, words); err != nil {
			return nil, fmt.Errorf("schema %s: %w", d.name, err)
		}
		schemas = set(schemas, d.name, made)
	}
	return set(doc, "components", set(components, "schemas", schemas)), nil
}

// schemaOf infers the schema of a type. Other types of the list are referred to.
func schemaOf(d described) (yaml.MapSlice, error) {
	known := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time](): {Type: "string", Format: "date-time"},
		// As they marshal themselves:
		reflect.TypeFor[render.Cell]():       {Type: "string"},
		reflect.TypeFor[calendar.Date]():     {Type: "string", Format: "date"},
		reflect.TypeFor[calendar.DateTime](): {Type: "string"},
		reflect.TypeFor[money.Amount]():      {Type: "number"},
		reflect.TypeFor[json.RawMessage]():   {Type: "object"},
	}
	for t, where := range map[reflect.Type]string{
		reflect.TypeFor[consent.State](): "pkg/consent", reflect.TypeFor[agent.Finish](): "pkg/agent",
		reflect.TypeFor[users.Kind](): "pkg/users", reflect.TypeFor[identity.Role](): "pkg/identity",
		reflect.TypeFor[chart.Form](): "pkg/chart", reflect.TypeFor[projects.Status](): projectsFolder,
		reflect.TypeFor[projects.Phase](): projectsFolder, reflect.TypeFor[projects.Detail](): projectsFolder,
		reflect.TypeFor[projects.Stage](): projectsFolder, reflect.TypeFor[projects.ImageState](): projectsFolder,
		reflect.TypeFor[projects.BlockKind](): projectsFolder,
	} {
		values, err := constants(where, t.Name())
		if err != nil {
			return nil, err
		}
		if t == reflect.TypeFor[projects.Detail]() || t == reflect.TypeFor[projects.Stage]() {
			values = append(values, "") // what is not said yet
		}
		known[t] = &jsonschema.Schema{Type: "string", Enum: values}
	}
	for _, other := range describedTypes() {
		// What is embedded becomes a part of the type itself.
		if other.of != d.of && !embeds(d.of, other.of) {
			known[other.of] = &jsonschema.Schema{Ref: schemaPath + other.name}
		}
	}
	s, err := jsonschema.ForType(d.of, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, err
	}
	if d.without != "" {
		if s.Properties[d.without] == nil {
			return nil, fmt.Errorf("there is no member %s to leave out", d.without)
		}
		delete(s.Properties, d.without)
		s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(name string) bool { return name == d.without })
		s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return name == d.without })
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var out yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(text, &out, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	out, _ = plainSchema(out).(yaml.MapSlice)
	return out, nil
}

func embeds(t, other reflect.Type) bool {
	for f := range t.Fields() {
		if f.Anonymous && f.Type == other {
			return true
		}
	}
	return false
}

// plainSchema adapts an inferred schema to what we send and promise: lists are
// never null, a null beside a reference is an alternative to it, and a client
// must expect members that a later version adds.
func plainSchema(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = plainSchema(v[i])
		}
		return v
	case yaml.MapSlice:
		types, _ := member(v, "type").([]any)
		nullable := slices.Contains(types, any("null"))
		ref := member(v, "$ref")
		if nullable && ref != nil {
			return yaml.MapSlice{{Key: "anyOf", Value: []any{
				yaml.MapSlice{{Key: "$ref", Value: ref}}, yaml.MapSlice{{Key: "type", Value: "null"}},
			}}}
		}
		var out yaml.MapSlice
		for _, m := range v {
			switch {
			case m.Key == "additionalProperties" && m.Value == false:
				continue
			case m.Key == "type" && nullable && slices.Contains(types, any("array")):
				m.Value = "array"
			default:
				m.Value = plainSchema(m.Value)
			}
			out = append(out, m)
		}
		return out
	}
	return v
}

// withWords adds what was written by hand to an inferred schema. It reports
// words about members that the type does not have.
func withWords(made, words yaml.MapSlice) (yaml.MapSlice, error) {
	out := slices.Clone(made)
	if text := member(words, "description"); text != nil {
		out = append(yaml.MapSlice{{Key: "description", Value: text}}, out...)
	}
	for _, m := range words {
		key := fmt.Sprint(m.Key)
		switch key {
		case "description":
		case "properties":
			properties, _ := member(made, key).(yaml.MapSlice)
			for _, p := range m.Value.(yaml.MapSlice) {
				name := fmt.Sprint(p.Key)
				property, ok := member(properties, name).(yaml.MapSlice)
				if !ok {
					if member(properties, name) == nil {
						return nil, fmt.Errorf("words about %q, which the type does not have", name)
					}
					property = yaml.MapSlice{} // any value
				}
				property, err := withWords(property, p.Value.(yaml.MapSlice))
				if err != nil {
					return nil, err
				}
				properties = set(properties, name, property)
			}
			out = set(out, key, properties)
		default:
			out = set(out, key, m.Value)
		}
	}
	return out, nil
}

func member(m yaml.MapSlice, key string) any {
	for _, item := range m {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}

// set returns m with the member set; m itself is left alone.
func set(m yaml.MapSlice, key string, value any) yaml.MapSlice {
	m = slices.Clone(m)
	for i := range m {
		if m[i].Key == key {
			m[i].Value = value
			return m
		}
	}
	return append(m, yaml.MapItem{Key: key, Value: value})
}

// asJSON writes a document in its own order, which a Go map would lose.
func asJSON(v any) (string, error) {
	var b strings.Builder
	if err := writeJSON(&b, v, "\n"); err != nil {
		return "", err
	}
	return b.String() + "\n", nil
}

func writeJSON(b *strings.Builder, v any, line string) error {
	deeper := line + "  "
	switch v := v.(type) {
	case yaml.MapSlice:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(deeper)
			if err := writeJSON(b, fmt.Sprint(m.Key), deeper); err != nil {
				return err
			}
			b.WriteString(": ")
			if err := writeJSON(b, m.Value, deeper); err != nil {
				return err
			}
		}
		if len(v) > 0 {
			b.WriteString(line)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(deeper)
			if err := writeJSON(b, item, deeper); err != nil {
				return err
			}
		}
		if len(v) > 0 {
			b.WriteString(line)
		}
		b.WriteByte(']')
	default:
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return err
		}
		// The encoder ends with a line.
		text := strings.TrimSuffix(b.String(), "\n")
		b.Reset()
		b.WriteString(text)
	}
	return nil
}
