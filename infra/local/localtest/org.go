package localtest

import (
	"testing"

	"github.com/google/uuid"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// Org is a tenant of one test: an organisation with one property, the assistant
// "hospitality" and a person in each role. It holds nothing else.
type Org struct {
	ID, Slug, Name string
	Entity         Entity

	Admin, Manager, Viewer Person
}

// Entity is the org's property: key TST, in Asia/Kolkata, with prices in INR
// and the locale en-IN.
type Entity struct {
	ID, Key, Name, TimeZone, Currency, Locale string
}

// Person is a member who has just signed in.
type Person struct {
	ID, Email, Name, Role string
	// Token is an access token; it lives for an hour.
	Token string
}

// NewOrg makes a tenant in the shared database. It stays until the process
// ends, and no other test knows it, so that tests may run side by side.
func NewOrg(t testing.TB) Org {
	t.Helper()
	return NewOrgOn(t, Stack(t))
}

// NewOrgOn is NewOrg on another stack, such as a clone.
func NewOrgOn(t testing.TB, s *stack.Stack) Org {
	t.Helper()
	org := Org{
		ID: uuid.NewString(), Name: "Test House",
		Entity: Entity{
			ID: uuid.NewString(), Key: "TST", Name: "Test House",
			TimeZone: "Asia/Kolkata", Currency: "INR", Locale: "en-IN",
		},
	}
	org.Slug = "t-" + org.ID
	SQLOn(t, s, `
		with org as (insert into public.orgs (id, slug, name) values ($1, $2, $3) returning id)
		insert into public.entities (org_id, id, kind, key, name, time_zone, currency, locale)
		select org.id, $4, 'property', $5, $6, $7, $8, $9 from org`,
		org.ID, org.Slug, org.Name, org.Entity.ID, org.Entity.Key, org.Entity.Name,
		org.Entity.TimeZone, org.Entity.Currency, org.Entity.Locale)
	Give(t, s, org.ID, "hospitality")
	org.Admin = NewPerson(t, s, org.ID, "admin", "Ada Testwright")
	org.Manager = NewPerson(t, s, org.ID, "manager", "Max Testwright")
	org.Viewer = NewPerson(t, s, org.ID, "viewer", "Vera Testwright")
	return org
}

// Give gives an organisation of stack s assistants. A new tenant has
// "hospitality".
func Give(t testing.TB, s *stack.Stack, orgID string, assistants ...string) {
	t.Helper()
	SQLOn(t, s, `insert into public.org_assistants (org_id, assistant) select $1, unnest($2::text[])
		on conflict do nothing`, orgID, assistants)
}

// Take takes an assistant away from an organisation of stack s.
func Take(t testing.TB, s *stack.Stack, orgID, assistant string) {
	t.Helper()
	SQLOn(t, s, `delete from public.org_assistants where org_id = $1 and assistant = $2`, orgID, assistant)
}

// NewPerson makes a user of stack s and signs the user in. The token names the
// organisation. With an empty role the user is no member of it.
func NewPerson(t testing.TB, s *stack.Stack, orgID, role, name string) Person {
	t.Helper()
	p := Person{ID: uuid.NewString(), Name: name, Role: role}
	p.Email = "p-" + p.ID + "@test.example"
	// Four rounds, the fewest there are: what is kept secret here is nothing.
	SQLOn(t, s, `
		insert into auth.users (id, instance_id, aud, role, email, encrypted_password, email_confirmed_at,
		                        raw_app_meta_data, raw_user_meta_data)
		values ($1, '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated', $2,
		        extensions.crypt($3, extensions.gen_salt('bf', 4)), now(),
		        jsonb_build_object('org_id', $4::text, 'provider', 'email'), jsonb_build_object('name', $5::text))`,
		p.ID, p.Email, stack.DemoPassword, orgID, name)
	if role != "" {
		SQLOn(t, s, `insert into public.memberships (org_id, user_id, role, name) values ($1, $2, $3, $4)`, orgID,
			p.ID, role, name)
	}
	p.Token = TokenOn(t, s, p.Email)
	return p
}
