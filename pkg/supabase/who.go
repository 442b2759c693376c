package supabase

import (
	"encoding/json"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
)

// Who is the answer of whoami.
type Who struct {
	User     string                   `json:"user"`
	Name     string                   `json:"name"`
	Email    string                   `json:"email"`
	Org      string                   `json:"org"`
	OrgName  string                   `json:"orgName"`
	Role     identity.Role            `json:"role"`
	Guarded  bool                     `json:"guarded"`
	Budgeted bool                     `json:"budgeted"`
	Rates    map[string]identity.Rate `json:"rates"`
	Entities []identity.Entity        `json:"entities"`
	// Assistants are those that the organisation has.
	Assistants []string `json:"assistants"`
}

// Reader is implemented by results that read themselves from an answer of the
// database, without reflection: each turn asks who the caller is.
type Reader interface {
	// Read takes the answer, which is one valid JSON value.
	Read(answer rawjson.Value) error
}

var _ Reader = (*Who)(nil)

// Read implements Reader. A member of another type than is agreed is an error,
// and null leaves a member as it is.
func (w *Who) Read(answer rawjson.Value) error {
	for name, value := range answer.Members() {
		var err error
		switch string(name) {
		case "user":
			err = readText(value, &w.User)
		case "name":
			err = readText(value, &w.Name)
		case "email":
			err = readText(value, &w.Email)
		case "org":
			err = readText(value, &w.Org)
		case "orgName":
			err = readText(value, &w.OrgName)
		case "role":
			err = readText(value, &w.Role)
		case "guarded":
			err = readBool(value, &w.Guarded)
		case "budgeted":
			err = readBool(value, &w.Budgeted)
		case "rates": // few organisations have their own
			err = json.Unmarshal(value, &w.Rates)
		case "entities":
			err = readList(value, &w.Entities, readEntity)
		case "assistants":
			err = readList(value, &w.Assistants, readText[string])
		}
		if err != nil {
			return fmt.Errorf("the member %s: %w", name, err)
		}
	}
	return nil
}

func readEntity(v rawjson.Value, e *identity.Entity) error {
	for name, value := range v.Members() {
		var err error
		switch string(name) {
		case "id":
			err = readText(value, &e.ID)
		case "key":
			err = readText(value, &e.Key)
		case "kind":
			err = readText(value, &e.Kind)
		case "name":
			err = readText(value, &e.Name)
		case "timeZone":
			err = readText(value, &e.TimeZone)
		case "currency":
			err = readText(value, &e.Currency)
		case "locale":
			err = readText(value, &e.Locale)
		}
		if err != nil {
			return fmt.Errorf("the member %s: %w", name, err)
		}
	}
	return nil
}

func readText[T ~string](v rawjson.Value, into *T) error {
	text, ok := v.Text()
	if ok {
		*into = T(text)
	}
	return agreed(v, ok)
}

func readBool(v rawjson.Value, into *bool) error {
	is := string(v) == "true"
	if is || string(v) == "false" {
		*into = is
		return nil
	}
	return agreed(v, false)
}

func readList[T any](v rawjson.Value, into *[]T, read func(rawjson.Value, *T) error) error {
	for item := range v.Items() {
		var one T
		if err := read(item, &one); err != nil {
			return err
		}
		*into = append(*into, one)
	}
	return agreed(v, v.Is('['))
}

// agreed returns an error for a value that is neither null nor what is expected.
func agreed(v rawjson.Value, expected bool) error {
	if expected || v.IsNull() {
		return nil
	}
	return fmt.Errorf("%.40s is of another type than expected", v)
}
