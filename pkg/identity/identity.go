// Package identity says who is asking: a person, in one organisation, with a
// role in it, for one of its entities (a hotel, a company).
package identity

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Role is what a person may do in an organisation.
type Role string

// The roles, from most to least.
const (
	Admin   Role = "admin"
	Manager Role = "manager"
	Viewer  Role = "viewer"
)

// Writes reports whether the role may change business records.
func (r Role) Writes() bool { return r == Admin || r == Manager }

// Secret is a text that never shows itself when it is printed or logged.
type Secret string

// String returns a mark instead of the secret.
func (Secret) String() string { return "[secret]" }

// GoString returns a mark instead of the secret.
func (Secret) GoString() string { return "[secret]" }

// MarshalText returns a mark instead of the secret.
func (Secret) MarshalText() ([]byte, error) { return []byte("[secret]"), nil }

// Reveal returns the secret itself.
func (s Secret) Reveal() string { return string(s) }

// Entity is one property or company that an organisation owns.
type Entity struct {
	ID       string `json:"id"`  // uuid; never shown
	Key      string `json:"key"` // what people call it, unique in the organisation
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	TimeZone string `json:"timeZone"` // IANA name
	Currency string `json:"currency"` // ISO 4217
	Locale   string `json:"locale"`   // BCP 47

	zone *time.Location // of TimeZone; nil until Zones has read it
}

// Location returns the entity's time zone.
func (e Entity) Location() (*time.Location, error) {
	if e.zone != nil {
		return e.zone, nil
	}
	loc, err := time.LoadLocation(e.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("time zone of entity %s: %w", e.Key, err)
	}
	return loc, nil
}

// Zones keeps time zones that were read from the zone database, which costs a
// turn as much as all its seals. The zero value is ready; it may be used by many
// goroutines.
type Zones struct{ known sync.Map } // from name to *time.Location

// Fill gives each entity its time zone. One whose name is unknown stays without,
// and Location says so.
func (z *Zones) Fill(entities []Entity) {
	for i, e := range entities {
		if known, ok := z.known.Load(e.TimeZone); ok {
			entities[i].zone, _ = known.(*time.Location)
		} else if loc, err := e.Location(); err == nil {
			z.known.Store(e.TimeZone, loc)
			entities[i].zone = loc
		}
	}
}

// Caller is the person for whom a request acts. Every value of it comes from a
// verified token and the database, never from a body, a query or a model.
type Caller struct {
	UserID   string // uuid
	Name     string
	Email    string
	OrgID    string // uuid
	OrgName  string
	Role     Role
	Entities []Entity // those of the organisation, ordered by key
	Entity   Entity   // the chosen one
	// Assistants are the names of those that the organisation has; the others do
	// not exist for it. See package assistants, which finds them.
	Assistants []string
	Plan       Plan   // what bounds the organisation
	Token      Secret // the JWT with which the database is asked
	// Remote is the user's own token for remote servers, as the user sent it: it
	// proves nothing to us, and goes nowhere else. "" = none was sent.
	Remote Secret
	// Visitor tells those apart who share the account without having signed in;
	// "" for everybody else. A visitor may only look.
	Visitor string
}

// Subject names the person for all that is kept for one person alone: seals,
// and names of turns.
func (c Caller) Subject() string {
	if c.Visitor == "" {
		return c.UserID
	}
	return c.UserID + "/" + c.Visitor
}

// Has reports whether the caller's organisation has the assistant of that name.
func (c Caller) Has(assistant string) bool { return slices.Contains(c.Assistants, assistant) }

// Plan is what bounds an organisation.
type Plan struct {
	// Rates are limits of its own, by the name of an endpoint group ("chat",
	// "tools").
	Rates map[string]Rate
	// Budgeted says that its tokens or its money are counted and may run out.
	Budgeted bool
}

// Rate is how many requests per minute are let in; 0 is no limit.
type Rate struct {
	User int `json:"user"` // of one person
	Org  int `json:"org"`  // of the whole organisation
}

// Choose returns the caller with the entity of that id or key chosen. An empty
// name chooses the first entity of the wanted kind, an empty kind means any. It
// reports false when the caller has no such entity of the kind.
func (c Caller) Choose(name, kind string) (Caller, bool) {
	for _, e := range c.Entities {
		if (name == "" || name == e.ID || name == e.Key) && (kind == "" || kind == e.Kind) {
			c.Entity = e
			return c, true
		}
	}
	return c, false
}
