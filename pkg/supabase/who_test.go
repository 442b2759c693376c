package supabase_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/rawjson"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Who reads itself as encoding/json would read it.
func TestWhoIsReadAsEncodingJSONReadsIt(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"user":"u1","name":"Zo\u00eb \"Z\"","email":"z@example.com","org":"o1","orgName":"Häuser","role":"manager",
		  "guarded":true,"budgeted":false,"rates":{"chat":{"user":3,"org":9}},"more":[1,{"name":"x"}],
		  "entities":[{"id":"e1","key":"MAIN","kind":"property","name":"Main","timeZone":"Asia/Kolkata",
		    "currency":"INR","locale":"en-IN","extra":{"id":"no"}},{"id":"e2"}],"assistants":["hospitality","travel"]}`,
		`{"user":"u1","name":null,"guarded":null,"rates":null,"entities":null,"assistants":[]}`,
		`{"user":1}`, `{"guarded":"true"}`, `{"entities":{}}`, `{"entities":[{"id":false}]}`, `{"assistants":[7]}`,
		`{}`,
	} {
		var want, got supabase.Who
		wantErr := json.Unmarshal([]byte(text), &want)
		v, err := rawjson.Parse([]byte(text))
		if err == nil {
			err = got.Read(v)
		}
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s: %v, as JSON %v", text, err, wantErr)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(),
			cmpopts.IgnoreUnexported(identity.Entity{})); err == nil &&
			diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
