package views

func figureSayings() map[string]spoken {
	return map[string]spoken{
		"get_gst_summary": {"net>0", tell{
			"GST to pay for {from|date} to {to|date}: {net|rs}. Output GST is {output|rs}, input credit {credit|rs}" +
				"{reverse_charge|rs!, reverse charge %}.",
			"{from|date} se {to|date} ka GST dena hai: {net|rs}. Output GST {output|rs}, input credit {credit|rs}" +
				"{reverse_charge|rs!, reverse charge %}.",
			"{from|date} से {to|date} का GST देना है: {net|rs}। आउटपुट GST {output|rs}, इनपुट क्रेडिट {credit|rs}" +
				"{reverse_charge|rs!, रिवर्स चार्ज %}।",
		}, tell{
			"There is no GST to pay for {from|date} to {to|date}: input credit {credit|rs}, output GST {output|rs}" +
				"{net|rs!, net %}.",
			"{from|date} se {to|date} ka koi GST dena nahi hai: input credit {credit|rs}, output GST " +
				"{output|rs}{net|rs!, net %}.",
			"{from|date} से {to|date} का कोई GST देना नहीं है: इनपुट क्रेडिट {credit|rs}, आउटपुट GST " +
				"{output|rs}{net|rs!, शेष %}।",
		}},
		"get_itc_summary": {"eligible", tell{
			"Input credit of {from|date} to {to|date}: {eligible|rs} from {#vendors?# vendor|# vendors}" +
				"{blocked|rs!; % gives no credit}.",
			"{from|date} se {to|date} ka input credit: {eligible|rs}, {#vendors?# vendor|# vendors} " +
				"se{blocked|rs!; % ka credit nahi milta}.",
			"{from|date} से {to|date} का इनपुट क्रेडिट: {eligible|rs}, {#vendors?# विक्रेता|# विक्रेताओं} " +
				"से{blocked|rs!; % का क्रेडिट नहीं मिलता}।",
		}, tell{"There is no input credit for {from|date} to {to|date}.",
			"{from|date} se {to|date} ka koi input credit nahi hai.",
			"{from|date} से {to|date} का कोई इनपुट क्रेडिट नहीं है।"}},
		"get_gstr1_data": {"rows", tell{
			"GSTR-1 of {month|month}: taxable {totals.taxable|rs}, tax {totals.tax|rs}, in {#rows?# line|# lines}.",
			"{month|month} ka GSTR-1: taxable {totals.taxable|rs}, tax {totals.tax|rs}, {#rows?# line|# lines}.",
			"{month|month} का GSTR-1: कर योग्य {totals.taxable|rs}, कर {totals.tax|rs}, {#rows?# लाइन|# लाइनें}।",
		}, tell{"GSTR-1 of {month|month} has no supplies.", "{month|month} ke GSTR-1 mein koi supply nahi hai.",
			"{month|month} के GSTR-1 में कोई आपूर्ति नहीं है।"}},
		"get_gstr3b_data": {"", tell{
			"GSTR-3B of {month|month}: {totals.net|rs} net. Output GST {totals.output|rs}, input credit " +
				"{totals.credit|rs}" +
				"{totals.reverse_charge|rs!, reverse charge %}.",
			"{month|month} ka GSTR-3B: net {totals.net|rs}. Output GST {totals.output|rs}, input credit " +
				"{totals.credit|rs}" +
				"{totals.reverse_charge|rs!, reverse charge %}.",
			"{month|month} का GSTR-3B: शेष {totals.net|rs}। आउटपुट GST {totals.output|rs}, इनपुट क्रेडिट " +
				"{totals.credit|rs}" +
				"{totals.reverse_charge|rs!, रिवर्स चार्ज %}।",
		}, tell{}},
		"get_compliance_calendar": {"@not filed", tell{
			"Next is {@next due.form}{@next due.period|label! of %}, {@next due.title}, on {@next due.due|date}. " +
				"{@not filed?# return or payment falls|# returns and payments fall} due from {from|date} to " +
				"{to|date}" +
				"{@late!; % of them overdue}.",
			"Agla: {@next due.form}{@next due.period|label!, %} ({@next due.title}), {@next due.due|date} tak. " +
				"{from|date} se {to|date} tak " +
				"{@not filed?# return ya payment hai|# returns aur payments hain}" +
				"{@late!; % ki tareekh nikal chuki hai}.",
			"अगला: {@next due.form}{@next due.period|label!, %} ({@next due.title}), {@next due.due|date} तक। " +
				"{from|date} से {to|date} तक " +
				"{@not filed?# रिटर्न या भुगतान है|# रिटर्न और भुगतान हैं}{@late!; % की तारीख निकल चुकी है}।",
		}, tell{"Nothing falls due from {from|date} to {to|date}.",
			"{from|date} se {to|date} tak kuch dena ya bharna nahi hai.",
			"{from|date} से {to|date} तक कुछ देना या भरना नहीं है।"}},
		"get_tax_rates": {"", tell{
			"Rates of GST on {date|date}: {@rates}. {#tds?# section|# sections} deduct tax at source.",
			"{date|date} ko GST ki dar: {@rates}. TDS ke {#tds?# section|# sections}.",
			"{date|date} को GST की दरें: {@rates}। TDS की {#tds} धाराएँ।",
		}, tell{}},
		"get_kpi_dashboard": {"net_profit>0", tell{
			"Revenue {revenue|short} from {from|date} to " +
				"{to|date}{revenue_growth_percent|trend! (% on as many days before)}, " +
				"net profit {net_profit|short}{profit_growth_percent|trend! (%)}. " + kpiRest,
			"{from|date} se {to|date} tak revenue " +
				"{revenue|short}{revenue_growth_percent|trend! (utne hi pichhle dinon se %)}, " +
				"net profit {net_profit|short}{profit_growth_percent|trend! (%)}. " + kpiRestHinglish,
			"{from|date} से {to|date} तक बिक्री " +
				"{revenue|short}{revenue_growth_percent|trend! (उतने ही पिछले दिनों से %)}, " +
				"शुद्ध लाभ {net_profit|short}{profit_growth_percent|trend! (%)}। " + kpiRestHindi,
		}, tell{
			"Revenue {revenue|short} from {from|date} to " +
				"{to|date}{revenue_growth_percent|trend! (% on as many days before)}, " +
				"net loss {~net_profit|short}. " + kpiRest,
			"{from|date} se {to|date} tak revenue " +
				"{revenue|short}{revenue_growth_percent|trend! (utne hi pichhle dinon se %)}, " +
				"net loss {~net_profit|short}. " + kpiRestHinglish,
			"{from|date} से {to|date} तक बिक्री " +
				"{revenue|short}{revenue_growth_percent|trend! (उतने ही पिछले दिनों से %)}, " +
				"शुद्ध हानि {~net_profit|short}। " + kpiRestHindi,
		}},
		"get_revenue_kpi": {"", tell{
			"Revenue {revenue|short} from {from|date} to " +
				"{to|date}{revenue_growth_percent|trend! (% on as many days before)}; gross profit " +
				"{gross_profit|short}{gross_margin_percent|pct! (%)}, net profit " +
				"{net_profit|short}{net_margin_percent|pct! (%)}.",
			"{from|date} se {to|date} tak revenue " +
				"{revenue|short}{revenue_growth_percent|trend! (utne hi pichhle dinon se %)}; gross profit " +
				"{gross_profit|short}{gross_margin_percent|pct! (%)}, net profit " +
				"{net_profit|short}{net_margin_percent|pct! (%)}.",
			"{from|date} से {to|date} तक बिक्री " +
				"{revenue|short}{revenue_growth_percent|trend! (उतने ही पिछले दिनों से %)}; सकल लाभ " +
				"{gross_profit|short}{gross_margin_percent|pct! (%)}, शुद्ध लाभ " +
				"{net_profit|short}{net_margin_percent|pct! (%)}।",
		}, tell{}},
		"get_revenue_breakdown": {"rows", tell{
			"Revenue {from|date} to {to|date}: {total|short}. The largest of {#rows} is {rows.0.label|label} with " +
				"{rows.0.amount|short}{rows.0.share_percent|pct! (%)}.",
			"{from|date} se {to|date} ka revenue: {total|short}. {#rows} mein sabse bada {rows.0.label|label}, " +
				"{rows.0.amount|short}{rows.0.share_percent|pct! (%)}.",
			"{from|date} से {to|date} की बिक्री: {total|short}। {#rows} में सबसे बड़ा {rows.0.label|label}, " +
				"{rows.0.amount|short}{rows.0.share_percent|pct! (%)}।",
		}, tell{"There is no revenue from {from|date} to {to|date}.",
			"{from|date} se {to|date} tak koi revenue nahi hai.",
			"{from|date} से {to|date} तक कोई बिक्री नहीं है।"}},
		"get_expense_breakdown": {"rows", tell{
			"Expenses {from|date} to {to|date}: {total|short}. The largest of {#rows} is {rows.0.label|label} with " +
				"{rows.0.amount|short}{rows.0.share_percent|pct! (%)}.",
			"{from|date} se {to|date} ka kharcha: {total|short}. {#rows} mein sabse bada {rows.0.label|label}, " +
				"{rows.0.amount|short}{rows.0.share_percent|pct! (%)}.",
			"{from|date} से {to|date} का खर्च: {total|short}। {#rows} में सबसे बड़ा {rows.0.label|label}, " +
				"{rows.0.amount|short}{rows.0.share_percent|pct! (%)}।",
		}, tell{"There are no expenses from {from|date} to {to|date}.",
			"{from|date} se {to|date} tak koi kharcha nahi hai.",
			"{from|date} से {to|date} तक कोई खर्च नहीं है।"}},
		"get_revenue_breakdown month": {"rows", tell{
			"Revenue {from|date} to {to|date}: {total|short}. The highest of {#rows?# month|# months} is " +
				"{@highest row.amount|short} in " +
				"{@highest row.label|month}.",
			"{from|date} se {to|date} ka revenue: {total|short}. {#rows} mahinon mein sabse zyada " +
				"{@highest row.amount|short}, " +
				"{@highest row.label|month} mein.",
			"{from|date} से {to|date} की बिक्री: {total|short}। {#rows} महीनों में सबसे अधिक " +
				"{@highest row.amount|short}, " +
				"{@highest row.label|month} में।",
		}, tell{"There are no figures.", "Koi aankde nahi hain.", "कोई आँकड़े नहीं हैं।"}},
		"get_expense_breakdown month": {"rows", tell{
			"Expenses {from|date} to {to|date}: {total|short}. The highest of {#rows?# month|# months} is " +
				"{@highest row.amount|short} in " +
				"{@highest row.label|month}.",
			"{from|date} se {to|date} ka kharcha: {total|short}. {#rows} mahinon mein sabse zyada " +
				"{@highest row.amount|short}, " +
				"{@highest row.label|month} mein.",
			"{from|date} से {to|date} का खर्च: {total|short}। {#rows} महीनों में सबसे अधिक " +
				"{@highest row.amount|short}, " +
				"{@highest row.label|month} में।",
		}, tell{"There are no figures.", "Koi aankde nahi hain.", "कोई आँकड़े नहीं हैं।"}},
		"compare_periods": {"metrics", tell{
			"Revenue {metrics[metric=revenue].current|short}{metrics[metric=revenue].change_percent|trend!, %}, " +
				"net profit " +
				"{metrics[metric=net_profit].current|short}{metrics[metric=net_profit].change_percent|trend!, %}: " +
				"{from|date} to {to|date}, compared with {previous_from|date} to {previous_to|date}.",
			"Revenue {metrics[metric=revenue].current|short}{metrics[metric=revenue].change_percent|trend!, %}, " +
				"net profit " +
				"{metrics[metric=net_profit].current|short}{metrics[metric=net_profit].change_percent|trend!, %}: " +
				"{from|date} se {to|date}, {previous_from|date} se {previous_to|date} ke muqable.",
			"बिक्री {metrics[metric=revenue].current|short}{metrics[metric=revenue].change_percent|trend!, %}, " +
				"शुद्ध लाभ " +
				"{metrics[metric=net_profit].current|short}{metrics[metric=net_profit].change_percent|trend!, %}: " +
				"{from|date} से {to|date}, {previous_from|date} से {previous_to|date} की तुलना में।",
		}, tell{"There is nothing to compare.", "Tulna ke liye kuch nahi hai.", "तुलना के लिए कुछ नहीं है।"}},
		"trend": {"months", tell{
			"{metric|word} in {months.-1.period|month}: " +
				"{months.-1.amount|short}{months.-1.change_percent|trend!, % on the month before}. " +
				"The highest of {#months} months is {@highest.amount|short} in {@highest.period|month}.",
			"{months.-1.period|month} ka {metric|inline}: " +
				"{months.-1.amount|short}{months.-1.change_percent|trend!, pichhle mahine se %}. " +
				"{#months} mahinon mein sabse zyada {@highest.amount|short}, {@highest.period|month} mein.",
			"{metric|word}, {months.-1.period|month}: " +
				"{months.-1.amount|short}{months.-1.change_percent|trend!, पिछले महीने से %}। " +
				"{#months} महीनों में सबसे अधिक {@highest.amount|short}, {@highest.period|month} में।",
		}, tell{"There are no figures.", "Koi aankde nahi hain.", "कोई आँकड़े नहीं हैं।"}},
		"forecast": {"months", tell{
			"If it goes on as in the last 12 months, {metric|inline} in {months.0.period|month} is " +
				"{months.0.amount|short} and in " +
				"{months.-1.period|month} {months.-1.amount|short}.",
			"Agar pichhle 12 mahinon jaisa chala, to {months.0.period|month} ka {metric|inline} " +
				"{months.0.amount|short} aur " +
				"{months.-1.period|month} ka {months.-1.amount|short} hoga.",
			"पिछले 12 महीनों जैसा चला तो {metric|inline}: {months.0.period|month} में {months.0.amount|short}, " +
				"{months.-1.period|month} में {months.-1.amount|short}।",
		}, tell{"There is no forecast.", "Koi anumaan nahi hai.", "कोई अनुमान नहीं है।"}},
		"anomaly_detection": {"anomalies", tell{
			"{#anomalies?# expense is|# expenses are} unusual. {anomalies.0.name} in {anomalies.0.month|month} is " +
				"{anomalies.0.amount|rs}, {anomalies.0.times|n} times the average of {anomalies.0.average|rs}.",
			"{#anomalies?# kharcha asamanya hai|# kharche asamanya hain}. {anomalies.0.month|month} mein " +
				"{anomalies.0.name} {anomalies.0.amount|rs}, " +
				"ausat {anomalies.0.average|rs} ka {anomalies.0.times|n} guna.",
			"{#anomalies?# खर्च असामान्य है|# खर्च असामान्य हैं}। {anomalies.0.month|month} में " +
				"{anomalies.0.name} {anomalies.0.amount|rs}, " +
				"औसत {anomalies.0.average|rs} का {anomalies.0.times|n} गुना।",
		}, tell{"No expense is unusual.", "Koi kharcha asamanya nahi hai.", "कोई खर्च असामान्य नहीं है।"}},
		"budget_vs_actual": {"accounts", tell{
			"Revenue is {@actual|short} of {@budget|short} budgeted, costs are {@cost actual|short} of " +
				"{@cost budget|short}, " +
				"from {from|date} to {to|date}.",
			"{from|date} se {to|date}: revenue {@actual|short}, budget {@budget|short}; kharche " +
				"{@cost actual|short}, budget " +
				"{@cost budget|short}.",
			"{from|date} से {to|date}: बिक्री {@actual|short}, बजट {@budget|short}; खर्च {@cost actual|short}, बजट " +
				"{@cost budget|short}।",
		}, tell{"There is no budget.", "Koi budget nahi hai.", "कोई बजट नहीं है।"}},
		"get_products": {"total", tell{
			"{total?# product|# products}.{@stock value|short! The stock of those shown is worth %.}" +
				"{@low! % of them are low.}",
			"{total?# product|# products}.{@stock value|short! Yahan ke stock ki keemat % hai.}" +
				"{@low! % ka stock kam hai.}",
			"{total|n} उत्पाद।{@stock value|short! यहाँ के स्टॉक का मूल्य % है।}{@low! % का स्टॉक कम है।}",
		}, tell{"No product was found.", "Koi product nahi mila.", "कोई उत्पाद नहीं मिला।"}},
		"get_product": {"product.quantity", tell{
			"{product.name}: {product.quantity|n} {product.unit} in " +
				"stock{product.value|rs!, worth %}{product.low!, which is low}.",
			"{product.name}: stock {product.quantity|n} " +
				"{product.unit}{product.value|rs!, keemat %}{product.low!, jo kam hai}.",
			"{product.name}: स्टॉक {product.quantity|n} " +
				"{product.unit}{product.value|rs!, मूल्य %}{product.low!, जो कम है}।",
		}, tell{
			"{product.name}{product.code! (%)}{product.sale_price|rs!: sale price %}{product.gst_rate|pct!, GST %}" +
				"{product.low!. Nothing is in stock}.",
			"{product.name}{product.code! (%)}{product.sale_price|rs!: sale price %}{product.gst_rate|pct!, GST %}" +
				"{product.low!. Stock khatam hai}.",
			"{product.name}{product.code! (%)}{product.sale_price|rs!: बिक्री मूल्य %}{product.gst_rate|pct!, GST %}" +
				"{product.low!। स्टॉक समाप्त है}।",
		}},
		"get_stock_valuation": {"products", tell{
			"The stock is worth {total_value|rs} on {as_of|date}, " +
				"{#products?# product|# products}{@low!; % of them low}.",
			"{as_of|date} ko stock ki keemat {total_value|rs} hai, " +
				"{#products?# product|# products}{@low!; % ka stock kam hai}.",
			"{as_of|date} को स्टॉक का मूल्य {total_value|rs} है, {#products} उत्पाद{@low!; % का स्टॉक कम है}।",
		}, tell{"There is no stock on {as_of|date}.", "{as_of|date} ko koi stock nahi hai.",
			"{as_of|date} को कोई स्टॉक नहीं है।"}},
		"get_stock_movements": {"total", tell{
			"{total?# movement|# movements} of stock.{movements.0.date|date! The newest here is of %}" +
				"{movements.0.name!: %}{movements.0.quantity|n!, %.}",
			"Stock ki {total?# entry|# entries}.{movements.0.date|date! Yahan sabse nayi % ki}{movements.0.name!: %}" +
				"{movements.0.quantity|n!, %.}",
			"स्टॉक की {total?# प्रविष्टि|# प्रविष्टियाँ}।{movements.0.date|date! यहाँ सबसे नई % की}" +
				"{movements.0.name!: %}" +
				"{movements.0.quantity|n!, %।}",
		}, tell{"No stock was moved.", "Koi stock nahi hila.", "कोई स्टॉक नहीं हिला।"}},
	}
}

const (
	kpiRest = "Cash {cash|short}; customers owe {receivables|short}, {receivables_overdue|short} of it overdue; " +
		"you owe " +
		"{payables|short}."
	kpiRestHinglish = "Cash {cash|short}; lena baaki {receivables|short}, jisme se {receivables_overdue|short} " +
		"overdue; dena " +
		"baaki {payables|short}."
	kpiRestHindi = "नकद {cash|short}; लेना बाकी {receivables|short}, जिसमें से {receivables_overdue|short} " +
		"ओवरड्यू; देना बाकी " +
		"{payables|short}।"
)
