package server

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
)

type contactFilter struct {
	Search string `json:"search,omitempty" jsonschema:"part of a name, code, GSTIN or e-mail address"`
	Active *bool  `json:"active,omitempty" jsonschema:"only active (true) or inactive (false) ones"`
	Page
}

type contactFields struct {
	GSTIN       string `json:"gstin,omitempty" jsonschema:"15 characters"`
	PAN         string `json:"pan,omitempty" jsonschema:"10 characters; taken from the GSTIN when left out"`
	State       string `json:"state,omitempty" jsonschema:"state by name or GST code; decides the place of supply"`
	Email       string `json:"email,omitempty"`
	Phone       string `json:"phone,omitempty"`
	Address     string `json:"address,omitempty"`
	TermsDays   *int   `json:"terms_days,omitempty" jsonschema:"days until an invoice is due; default 30"`
	CreditLimit Money  `json:"credit_limit,omitempty"`
	MSME        *bool  `json:"msme,omitempty" jsonschema:"a micro or small enterprise"`
	TDSSection  string `json:"tds_section,omitempty" jsonschema:"section of the usual TDS, such as 194J"`
	Notes       string `json:"notes,omitempty"`
}

type createContact struct {
	Name string `json:"name" jsonschema:"name of the business or person"`
	contactFields
	Reference
}

type getCustomer struct {
	Customer string `json:"customer" jsonschema:"code (C-0001), name or GSTIN"`
}

type updateCustomer struct {
	getCustomer
	Name   string `json:"name,omitempty" jsonschema:"the new name"`
	Active *bool  `json:"active,omitempty"`
	contactFields
	Reference
}

type getVendor struct {
	Vendor string `json:"vendor" jsonschema:"code (V-0001), name or GSTIN"`
}

type updateVendor struct {
	getVendor
	Name   string `json:"name,omitempty" jsonschema:"the new name"`
	Active *bool  `json:"active,omitempty"`
	contactFields
	Reference
}

func contactTools() []tool {
	return []tool{
		define("get_all_customers", "customers", reads, "List customers by name, with what each owes.",
			func(ctx context.Context, c *call, in contactFilter) (result, error) {
				return c.contacts(ctx, "customer", in)
			}),
		define("get_customer", "customers", reads, "One customer by code, name or GSTIN.",
			func(ctx context.Context, c *call, in getCustomer) (result, error) {
				return c.contact(ctx, "customer", in.Customer)
			}),
		define("create_customer", "customers", writes, "Add a customer.",
			func(ctx context.Context, c *call, in createContact) (result, error) {
				return c.createContact(ctx, "customer", in)
			}),
		define("update_customer", "customers", writes, "Change a customer's data. What is left out stays.",
			func(ctx context.Context, c *call, in updateCustomer) (result, error) {
				return c.updateContact(ctx, "customer", in.Customer, in)
			}),
		define("get_all_vendors", "vendors", reads, "List vendors by name, with what each is owed.",
			func(ctx context.Context, c *call, in contactFilter) (result, error) {
				return c.contacts(ctx, "vendor", in)
			}),
		define("get_vendor", "vendors", reads, "One vendor by code, name or GSTIN.",
			func(ctx context.Context, c *call, in getVendor) (result, error) {
				return c.contact(ctx, "vendor", in.Vendor)
			}),
		define("create_vendor", "vendors", writes, "Add a vendor.",
			func(ctx context.Context, c *call, in createContact) (result, error) {
				return c.createContact(ctx, "vendor", in)
			}),
		define("update_vendor", "vendors", writes, "Change a vendor's data. What is left out stays.",
			func(ctx context.Context, c *call, in updateVendor) (result, error) {
				return c.updateContact(ctx, "vendor", in.Vendor, in)
			}),
	}
}

// balances is what the ledger's accounts say of each contact: what a customer
// owes, what a vendor is owed.
const balances = `(select coalesce(sum(l.amount), 0) * case c.kind when 'customer' then 1 else -1 end
	from ledger.journal_lines l join ledger.accounts a on a.id = l.account_id
	where l.company_id = c.company_id and l.contact_id = c.id
	and a.role = case c.kind when 'customer' then 'receivable' else 'payable' end)`

func (c *call) contacts(ctx context.Context, kind string, in contactFilter) (result, error) {
	return c.list(ctx, in.Page, listing{
		noun: kind + "s", ascending: true,
		query: `select lower(c.name) || ' ' || c.id as key, jsonb_build_object('id', c.id, 'code', c.code, 'name',
			c.name,
				'gstin', c.gstin, 'state', s.name, 'email', c.email, 'phone', c.phone, 'terms_days', c.terms_days,
				'active', c.active, 'balance', ` + balances + `) as row
			from ledger.contacts c join ledger.states s on s.code = c.state_code
			where c.company_id = $1 and c.kind = $2 and ($3::boolean is null or c.active = $3)
			and ($4 = '' or strpos(lower(concat_ws(' ', c.name, c.code, c.gstin, c.email)), lower($4)) > 0)`,
		args: []any{c.companyID, kind, in.Active, in.Search},
	})
}

func (c *call) findContact(ctx context.Context, kind, words string) (uuid.UUID, error) {
	return c.id(ctx, "select ledger.find_contact($1, $2, $3)", c.companyID, kind, words)
}

func (c *call) contact(ctx context.Context, kind, words string) (result, error) {
	id, err := c.findContact(ctx, kind, words)
	if err != nil {
		return result{}, err
	}
	o, err := c.object(ctx, "There is no such "+kind+".",
		"select ledger.contact($1, $2) || jsonb_build_object('balance', "+balances+
			") from ledger.contacts c where c.id = $2", c.companyID, id)
	if err != nil {
		return result{}, err
	}
	return one(kind, o, "%s %s, balance ₹%s.", field(o, "code"), field(o, "name"), field(o, "balance")), nil
}

func (c *call) createContact(ctx context.Context, kind string, in createContact) (result, error) {
	text, err := json.Marshal(in)
	if err != nil {
		return result{}, fmt.Errorf("encode the input: %w", err)
	}
	o, err := c.object(ctx, "", "select ledger.create_contact($1, $2, $3)", c.companyID, kind, text)
	if err != nil {
		return result{}, err
	}
	return one(kind, o, "%s %s was added.", field(o, "code"), field(o, "name")), nil
}

func (c *call) updateContact(ctx context.Context, kind, words string, in any) (result, error) {
	id, err := c.findContact(ctx, kind, words)
	if err != nil {
		return result{}, err
	}
	o, err := c.change(ctx, "update_contact", id, in)
	if err != nil {
		return result{}, fmt.Errorf("update a %s: %w", kind, err)
	}
	return one(kind, o, "%s %s was changed.", field(o, "code"), field(o, "name")), nil
}
