package server

import (
	"context"
	"fmt"
)

type productFilter struct {
	Search string `json:"search,omitempty" jsonschema:"part of a code or name"`
	Kind   string `json:"kind,omitempty" jsonschema:"goods or service"`
	Low    bool   `json:"low,omitempty" jsonschema:"only goods at or below their reorder level"`
	Page
}

type byProduct struct {
	Product string `json:"product" jsonschema:"code (SKU) or name"`
}

type createProduct struct {
	Code            string   `json:"code,omitempty" jsonschema:"SKU; default the next P-0001"`
	Name            string   `json:"name"`
	Kind            string   `json:"kind,omitempty" jsonschema:"goods (default) or service"`
	Unit            string   `json:"unit,omitempty" jsonschema:"such as NOS, KG, BOX; default NOS"`
	HSNSAC          string   `json:"hsn_sac,omitempty" jsonschema:"4 to 8 digits"`
	GSTRate         Rate     `json:"gst_rate,omitempty" jsonschema:"per cent; default 18"`
	SalePrice       Money    `json:"sale_price,omitempty"`
	PurchasePrice   Money    `json:"purchase_price,omitempty"`
	ReorderLevel    Quantity `json:"reorder_level,omitempty"`
	OpeningQuantity Quantity `json:"opening_quantity,omitempty" jsonschema:"what is in stock today"`
	OpeningCost     Money    `json:"opening_cost,omitempty" jsonschema:"cost of one; default the purchase price"`
	Reference
}

type updateProduct struct {
	byProduct
	Name          string   `json:"name,omitempty"`
	HSNSAC        string   `json:"hsn_sac,omitempty"`
	GSTRate       Rate     `json:"gst_rate,omitempty"`
	SalePrice     Money    `json:"sale_price,omitempty"`
	PurchasePrice Money    `json:"purchase_price,omitempty"`
	ReorderLevel  Quantity `json:"reorder_level,omitempty"`
	Active        *bool    `json:"active,omitempty"`
	Reference
}

type adjustStock struct {
	byProduct
	Quantity Quantity `json:"quantity" jsonschema:"what is added or, negative, taken out"`
	UnitCost Money    `json:"unit_cost,omitempty" jsonschema:"cost of one that is added; default the average"`
	Reason   string   `json:"reason" jsonschema:"why, such as damaged or counted"`
	Date     Date     `json:"date,omitempty" jsonschema:"default today"`
	Reference
}

type movementFilter struct {
	Span
	Product string `json:"product,omitempty" jsonschema:"code or name; default all"`
	Page
}

type onDay struct {
	AsOf Date `json:"as_of,omitempty" jsonschema:"YYYY-MM-DD; default today"`
}

func stockTools() []tool {
	return []tool{
		define("get_products", "inventory", reads, "List products by code, with stock and value.", listProducts),
		define("get_product", "inventory", reads, "One product by code or name, with its stock.",
			func(ctx context.Context, c *call, in byProduct) (result, error) {
				o, err := c.object(ctx, "", "select ledger.product($1, ledger.product_id($1, $2))", c.companyID,
					in.Product)
				if err != nil {
					return result{}, err
				}
				return one("product", o, "%s %s: %s in stock.", field(o, "code"), field(o, "name"),
					field(o, "quantity")), nil
			}),
		define("create_product", "inventory", writes, "Add a product or a service.",
			func(ctx context.Context, c *call, in createProduct) (result, error) {
				o, err := c.make(ctx, "create_product", in)
				if err != nil {
					return result{}, err
				}
				return one("product", o, "%s %s was added.", field(o, "code"), field(o, "name")), nil
			}),
		define("update_product", "inventory", writes, "Change a product's data. What is left out stays.",
			func(ctx context.Context, c *call, in updateProduct) (result, error) {
				id, err := c.id(ctx, "select ledger.product_id($1, $2)", c.companyID, in.Product)
				if err != nil {
					return result{}, err
				}
				o, err := c.change(ctx, "update_product", id, in)
				if err != nil {
					return result{}, err
				}
				return one("product", o, "%s %s was changed.", field(o, "code"), field(o, "name")), nil
			}),
		define("adjust_stock", "inventory", writes,
			"Add to or take out of the stock of a product, and post the value.",
			func(ctx context.Context, c *call, in adjustStock) (result, error) {
				o, err := c.make(ctx, "adjust_stock", in)
				if err != nil {
					return result{}, err
				}
				return result{"The stock was adjusted.", o}, nil
			}),
		define("get_stock_movements", "inventory", reads, "List what moved in and out of stock, newest first.",
			listMovements),
		define("get_stock_valuation", "inventory", reads,
			"The stock on a day at average cost, beside the balance of the stock account.",
			func(ctx context.Context, c *call, in onDay) (result, error) {
				day, err := c.day("as_of", in.AsOf)
				if err != nil {
					return result{}, err
				}
				o, err := c.object(ctx, "", "select ledger.stock_valuation($1, $2)", c.companyID, day)
				if err != nil {
					return result{}, err
				}
				return result{fmt.Sprintf("The stock was worth ₹%s on %s.", field(o, "total_value"), day), o}, nil
			}),
	}
}

func listProducts(ctx context.Context, c *call, in productFilter) (result, error) {
	return c.list(ctx, in.Page, listing{
		noun: "products", ascending: true,
		query: `select p.code as key, ledger.product($1, p.id) as row from ledger.products p
			left join ledger.stock s on s.product_id = p.id
			where p.company_id = $1 and ($2 = '' or strpos(lower(p.code || ' ' || p.name), lower($2)) > 0)
			and ($3 = '' or p.kind = $3) and (not $4 or p.reorder_level > 0 and s.quantity <= p.reorder_level)`,
		args: []any{c.companyID, in.Search, in.Kind, in.Low},
	})
}

func listMovements(ctx context.Context, c *call, in movementFilter) (result, error) {
	if err := in.check(); err != nil {
		return result{}, err
	}
	var product any
	if in.Product != "" {
		id, err := c.id(ctx, "select ledger.product_id($1, $2)", c.companyID, in.Product)
		if err != nil {
			return result{}, err
		}
		product = id
	}
	return c.list(ctx, in.Page, listing{
		noun: "movements",
		query: `select lpad(m.seq::text, 12, '0') as key, ledger.stock_movement($1, m.id) as row
			from ledger.stock_movements m where m.company_id = $1 and ($2::date is null or m.date >= $2)
			and ($3::date is null or m.date <= $3) and ($4::uuid is null or m.product_id = $4)`,
		args: []any{c.companyID, orNil(in.From), orNil(in.To), product},
	})
}
