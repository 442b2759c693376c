package travel

import (
	"context"
	"encoding/json"

	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/supabase"
	"github.com/bellhop-ai/bellhop/pkg/travel/customtools"
)

// CustomTools is a customtools.Store.
type CustomTools struct{ client *supabase.Client }

var _ customtools.Store = CustomTools{}

// NewCustomTools returns the store in the project of client.
func NewCustomTools(client *supabase.Client) CustomTools { return CustomTools{client} }

// List returns the tools of the caller's organisation; see customtools.Store.
func (s CustomTools) List(ctx context.Context, by identity.Caller) ([]customtools.Definition, error) {
	return supabase.CallAgain[[]customtools.Definition](ctx, s.client.As(by).Control(), "custom_tool_list", nil)
}

// Save defines or replaces a tool; see customtools.Store.
func (s CustomTools) Save(ctx context.Context, by identity.Caller, d customtools.Definition) (customtools.Definition,
	error) {
	raw, err := json.Marshal(d)
	if err != nil {
		return d, err
	}
	return supabase.Call[customtools.Definition](ctx, s.client.As(by).Control(), "custom_tool_save",
		supabase.Args{"p": json.RawMessage(raw)})
}

// Delete deletes a tool; see customtools.Store.
func (s CustomTools) Delete(ctx context.Context, by identity.Caller, name string) error {
	_, err := supabase.Call[json.RawMessage](ctx, s.client.As(by).Control(), "custom_tool_delete",
		supabase.Args{"p_name": name})
	return err
}
