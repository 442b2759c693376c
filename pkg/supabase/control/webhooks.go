package control

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/supabase"
)

// Webhooks remembers for a day which webhooks of one sender were taken. It needs
// the secret key: no person stands behind such a request.
type Webhooks struct {
	admin  *supabase.Admin
	source string
}

// NewWebhooks returns the memory for a sender, of whatever name we give it.
func NewWebhooks(admin *supabase.Admin, source string) Webhooks { return Webhooks{admin, source} }

// Seen is what webhook.Config wants to be told.
func (s Webhooks) Seen(ctx context.Context, id string) (again bool, err error) {
	return s.admin.WebhookSeen(ctx, s.source, id)
}
