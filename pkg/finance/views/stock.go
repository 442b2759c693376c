package views

import "github.com/bellhop-ai/bellhop/pkg/chart"

// product is the view of one product.
func product() view {
	return view{title: "{product.name}", figures: []figure{
		{"product.name", "Name", words}, {"product.code", "Code", words}, {"product.kind", "Kind", code},
		{"product.quantity", "In stock", number}, {"product.unit", "Unit", words}, {"product.value", "Value", rupee},
		{"product.average_cost", "Average cost", rupee}, {"product.reorder_level", "Order again at", number},
		{"product.low", "Low", yes}, {"product.sale_price", "Sale price", rupee},
		{"product.purchase_price", "Purchase price", rupee}, {"product.gst_rate", "GST rate", percent},
		{"product.hsn_sac", "HSN or SAC", words}, {"product.active", "Active", yes},
	}, next: []choice{{"product.quantity", "What moved it", opens("get_stock_movements", "product=product.code")}}}
}

func stock() map[string]view {
	return merged(map[string]view{
		"get_products": {title: "Products", rows: "products", columns: []column{
			{"name", "Product", words, opens("get_product", "product=code")},
			{"quantity", "In stock", number, opens("get_stock_movements", "product=code")},
			{"value", "Value", rupee, call{}},
			{"low", "Low", yes, call{}},
			{"reorder_level", "Order again at", number, call{}},
			{"sale_price", "Sale price", rupee, call{}},
			{"purchase_price", "Purchase price", rupee, call{}},
			{"average_cost", "Average cost", rupee, call{}},
			{"gst_rate", "GST rate", percent, call{}},
			{"hsn_sac", "HSN or SAC", words, call{}},
			{"unit", "Unit", words, call{}},
			{"code", "Code", words, call{}},
		}, next: []choice{{"", "Value of the stock", opens("get_stock_valuation")},
			{"", "What is low", opens("get_products", "low=+true")}}},
		"get_stock_valuation": {title: "Stock on {as_of|date}", rows: "products", columns: []column{
			{"name", "Product", words, opens("get_product", "product=product")},
			{"value", "Value", rupee, opens("get_stock_movements", "product=product")},
			{"quantity", "In stock", number, call{}},
			{"average_cost", "Average cost", rupee, call{}},
			{"unit", "Unit", words, call{}},
			{"low", "Low", yes, call{}},
		}, note: "Total: {total_value|rs}. In the account: {stock_account_balance|rs}. Difference: {difference|rs}.",
			charts: []graph{{title: "Value of the stock", form: chart.Bars, rows: "products", label: "name",
				series: []series{{"Value", "value"}}}}},
		"get_stock_movements": {title: "Movements of stock" + period, rows: "movements", columns: []column{
			{"date", "Date", day, call{}},
			{"name", "Product", words, opens("get_product", "product=product")},
			{"quantity", "Quantity", number, call{}},
			{"value", "Value", rupee, call{}},
			{"source", "By", code, call{}},
			{"number", "Document", words, opens("get_journal_entry", "number=number")},
			{"unit", "Unit", words, call{}},
			{"reason", "Reason", words, call{}},
		}},
		"adjust_stock": {title: "Stock of {movement.name}", figures: []figure{
			{"movement.name", "Product", words}, {"movement.date", "Date", day}, {"movement.quantity", "Quantity",
				number},
			{"movement.value", "Value", rupee}, {"movement.reason", "Reason", words},
			{"product.quantity", "In stock now", number}, {"product.value", "Value now", rupee},
		}, next: []choice{{"", "What moved it", opens("get_stock_movements", "product=movement.product")}}},
	},
		written(product(), "get_product", "create_product", "update_product"),
	)
}
