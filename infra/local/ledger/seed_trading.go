package ledger

import (
	"fmt"
	"math"
	"time"
)

// kitchenware is a product of the trading company. The reform of 22-09-2025 moved
// most of them to another rate.
type kitchenware struct {
	code, name, hsn string
	cost, price     int // rupees
	before, after   int // GST in per cent
	opening, batch  int // pieces at the beginning, and per sale
	vendor          int
}

var kitchenwares = []kitchenware{
	{"PC-5L", "Pressure cooker 5 L", "7323", 1180, 1640, 12, 5, 260, 14, 1},
	{"DS-51", "Dinner set, steel, 51 pieces", "7323", 2150, 2990, 12, 5, 120, 6, 1},
	{"WB-1L", "Water bottle, steel, 1 L", "7323", 212, 315, 12, 5, 900, 60, 2},
	{"TW-28", "Tawa, non-stick, 28 cm", "7615", 395, 575, 12, 5, 420, 30, 2},
	{"MG-750", "Mixer grinder 750 W", "8509", 2480, 3390, 18, 18, 110, 6, 3},
	{"GS-3B", "Gas stove, three burners", "7321", 2890, 3950, 18, 18, 80, 5, 4},
	{"DW-12", "Dishwasher, 12 place settings", "8422", 21800, 28400, 28, 18, 14, 1, 3},
}

// buyer is a customer with its habits: the share of sales, and how many days after
// the due date it pays.
type buyer struct {
	name, state, pan, email string
	terms, weight           int
	early, late             int
	never                   int // per cent of invoices that stay open
	services                bool
}

var kitchenBuyers = []buyer{
	{"Annapurna Home Stores", "27", "AAKFA4821L", "accounts@annapurna.example", 30, 16, -4, 6, 0, false},
	{"Deshmukh Bhandar", "27", "ABCPD7710Q", "deshmukh@bhandar.example", 15, 10, -2, 10, 0, false},
	{"Konkan Kitchen Mart", "27", "AAGCK3349R", "pay@konkankitchen.example", 30, 12, 5, 35, 2, false},
	{"Surat Steel Emporium", "24", "AAPFS6602M", "surat@steelemporium.example", 45, 13, 0, 20, 1, false},
	{"Mandovi Traders", "30", "AAFFM9087C", "office@mandovi.example", 30, 7, 20, 70, 5, false},
	{"Hubballi Vessels", "29", "AAXFH1175P", "hubballi@vessels.example", 30, 9, 10, 45, 3, false},
	{"Lakshmi Gift Gallery", "27", "AEWPL5539B", "lakshmi@giftgallery.example", 15, 8, -5, 3, 0, false},
	{"Vidarbha Wholesale", "27", "AADCV2093F", "vidarbha@wholesale.example", 60, 12, 30, 110, 12, false},
	{"Indore Housewares", "23", "AAJFI8846K", "indore@housewares.example", 30, 7, 0, 25, 2, false},
	{"Hotel Sagar Kinara", "27", "AACCH4417D", "purchase@sagarkinara.example", 30, 4, 0, 15, 0, false},
	{"Counter sales", "27", "", "", 0, 8, 0, 0, 0, false},
}

func seedTrading(s *seeder) {
	s.email = "accounts@sahyadri.example"
	s.company = object{"code": Trading, "name": "Sahyadri Kitchenware Traders Pvt Ltd", "state": "27",
		"gstin": demoGSTIN("27", "AAYCS5518E"), "email": s.email,
		"address": "14 Market Yard Road, Pune 411037"}
	for _, b := range kitchenBuyers {
		o := object{"name": b.name, "state": b.state, "email": b.email, "terms_days": b.terms}
		if b.pan != "" {
			o["gstin"] = demoGSTIN(b.state, b.pan)
		}
		s.contact("customer", o)
	}
	for _, o := range []object{
		{"name": "Nashik Steel Products", "gstin": demoGSTIN("27", "AABCN7731J"), "terms_days": 30},
		{"name": "Rajkot Utensil Works", "gstin": demoGSTIN("24", "AAMFR2268H"), "terms_days": 45, "msme": true},
		{"name": "Deccan Appliances", "gstin": demoGSTIN("36", "AAECD9904A"), "terms_days": 30},
		{"name": "Faridabad Burners", "gstin": demoGSTIN("06", "AAHFF3157N"), "terms_days": 30},
		{"name": "Shivneri Transport", "state": "27", "terms_days": 15},
		{"name": "Kulkarni Estates", "gstin": demoGSTIN("27", "AFQPK6620T"), "terms_days": 5, "tds_section": "194I"},
		{"name": "Joshi and Rao, Chartered Accountants", "gstin": demoGSTIN("27", "AAOFJ8831G"), "terms_days": 30,
			"tds_section": "194J"},
		{"name": "City Power Supply", "state": "27", "terms_days": 15},
		{"name": "Sanket Cartons", "gstin": demoGSTIN("27", "BKLPS1942R"), "terms_days": 45, "msme": true},
	} {
		s.contact("vendor", o)
	}
	for _, k := range kitchenwares {
		s.products = append(s.products, step{sql: "select ledger.create_product($1, $2)", args: []any{object{
			"code": k.code, "name": k.name, "hsn_sac": k.hsn, "gst_rate": k.after, "sale_price": k.price,
			"purchase_price": k.cost, "reorder_level": k.batch * 3, "opening_quantity": k.opening,
			"opening_cost": k.cost}}})
	}
	s.journal(s.begin, "opening", "Opening balances", "bank", 1850000, "cash", 40000, "equipment", 320000,
		"furniture", 280000, "1410", 150000, "loan", -900000, "capital", -1500000, "retained_earnings", -240000)
	kitchenSales(s)
	tradingCosts(s)
	s.closePeriods(s.filedMonth(), "filed")
}

// filedMonth is the last month whose returns were due, on the 20th of the next.
func (s *seeder) filedMonth() time.Time {
	back := 1
	if s.today.Day() < 20 {
		back = 2
	}
	return date(s.today.Year(), s.today.Month(), 1).AddDate(0, -back, 0)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// season is how much a month sells: Diwali and weddings against the monsoon.
func season(m time.Month) float64 {
	return [...]float64{1.0, 1.15, 0.9, 0.9, 1.1, 0.8, 0.65, 0.8, 1.25, 1.8, 1.35, 1.0}[m-1]
}

// kitchenRate is the rate of GST on a day.
func kitchenRate(k kitchenware, d time.Time) int {
	if d.Before(date(2025, time.September, 22)) {
		return k.before
	}
	return k.after
}

// kitchenSales sells, and buys before what is sold in a month.
func kitchenSales(s *seeder) {
	stock := make([]int, len(kitchenwares))
	for i, k := range kitchenwares {
		stock[i] = k.opening
	}
	weights := 0
	for _, b := range kitchenBuyers {
		weights += b.weight
	}
	s.months(func(first time.Time, i int) {
		days := first.AddDate(0, 1, -1).Day()
		count := int(math.Round(20 * season(first.Month()) * (1 + 0.011*float64(i))))
		sold := make([]int, len(kitchenwares))
		for range count {
			pick, who := s.rand.IntN(weights), 0
			for pick >= kitchenBuyers[who].weight {
				pick -= kitchenBuyers[who].weight
				who++
			}
			d := first.AddDate(0, 0, s.between(2, days-1))
			var lines []object
			for _, n := range s.rand.Perm(len(kitchenwares))[:s.between(1, 3)] {
				k := kitchenwares[n]
				quantity := max(1, k.batch*s.between(50, 160)/100)
				if who == len(kitchenBuyers)-1 {
					quantity = max(1, quantity/6)
				}
				sold[n] += quantity
				lines = append(lines, object{"product": k.code, "description": k.name, "hsn_sac": k.hsn,
					"quantity": quantity,
					"rate":     k.price * (100 + 4*(i/12)) / 100, "gst_rate": kitchenRate(k, d)})
			}
			sell(s, kitchenBuyers[who], fmt.Sprintf("C-%04d", who+1), d, lines, 0)
		}
		buyKitchenware(s, first, stock, sold)
	})
	// An advance for the festive season that waits for its invoice.
	s.at(s.today.AddDate(0, 0, -12), rankPayment, "select ledger.create_payment($1, $2)", object{"contact": "C-0004",
		"date": s.today.AddDate(0, 0, -12).Format(time.DateOnly), "amount": 75000, "allocations": []object{},
		"bank_reference": "ADV75000", "notes": "Advance for the wedding season"})
}

// buyKitchenware orders on the first days of a month what the month will sell, and
// a reserve of a third of it.
func buyKitchenware(s *seeder, first time.Time, stock, sold []int) {
	for vendor := 1; vendor <= 4; vendor++ {
		d := first.AddDate(0, 0, s.rand.IntN(2))
		var lines []object
		for i, k := range kitchenwares {
			need := sold[i] + sold[i]/3 + k.batch*2
			if k.vendor != vendor || stock[i] >= need {
				continue
			}
			lines = append(lines, object{"product": k.code, "description": k.name, "hsn_sac": k.hsn,
				"quantity": need - stock[i], "rate": k.cost, "gst_rate": kitchenRate(k, d)})
			stock[i] = need
		}
		if lines == nil {
			continue
		}
		buy(s, vendor, d, object{"lines": lines, "vendor_number": fmt.Sprintf("%d/%s", vendor*1000+s.n,
			d.Format("0106"))},
			[]int{0, 28, 38, 30, 27}[vendor]+s.between(0, 18))
		// The lorry: a goods transport agency, whose tax is ours to pay.
		buy(s, 5, d.AddDate(0, 0, 1), object{"reverse_charge": true, "vendor_number": fmt.Sprintf("LR%d", 4000+s.n),
			"lines": []object{{"description": "Freight inward", "hsn_sac": "996791", "account": "freight",
				"rate": 2400 + 100*s.rand.IntN(20), "gst_rate": 5}}}, 12)
	}
	for i := range stock {
		stock[i] -= sold[i]
	}
}

// sell invoices a customer, who pays in one or two parts after its habit.
// tdsPercent is what it deducts of the taxable value.
func sell(s *seeder, b buyer, code string, d time.Time, lines []object, tdsPercent int) {
	reference := s.refer("invoice")
	s.at(d, rankInvoice, "select ledger.create_invoice($1, $2)", object{"customer": code, "lines": lines,
		"date": d.Format(time.DateOnly), "reference": reference})
	if b.terms == 0 {
		s.settle(reference, "receipt", d, 100, 0, []string{"Cash", "UPI"}[s.rand.IntN(2)], "")
		return
	}
	if s.chance(4) {
		back := d.AddDate(0, 0, s.between(3, 12))
		s.at(back, rankNote, `select ledger.create_credit_note($1, jsonb_build_object('invoice', d.number, 'date',
			$3::date,
				'reason', $4::text, 'lines', jsonb_build_array(jsonb_build_object('line', 1,
				'quantity', ceil(l.quantity / 8), 'rate', case when l.quantity = 1 then round(l.rate / 10)
					else l.rate end))))
			from ledger.write_references r join ledger.documents d on d.id = r.object_id
			join ledger.document_lines l on l.document_id = d.id and l.line = 1
			where r.company_id = $1 and r.reference = $2`,
			reference, back, b.grievances()[s.rand.IntN(3)])
	}
	if s.chance(b.never) {
		return
	}
	paid := d.AddDate(0, 0, b.terms+s.between(b.early, b.late))
	utr := func() string { return fmt.Sprintf("UTR%09d", s.rand.IntN(1e9)) }
	mode := []string{"NEFT", "NEFT", "RTGS", "UPI", "Cheque"}[s.rand.IntN(5)]
	if s.chance(12) {
		s.settle(reference, "receipt", paid, 60, tdsPercent, mode, utr())
		if s.chance(85) {
			s.settle(reference, "receipt", paid.AddDate(0, 0, s.between(12, 40)), 100, 0, mode, utr())
		}
		return
	}
	s.settle(reference, "receipt", paid, 100, tdsPercent, mode, utr())
}

// buy enters a bill of the vendor with a number, and pays it after some days.
func buy(s *seeder, vendor int, d time.Time, o object, after int) {
	reference := s.refer("bill")
	o["vendor"], o["date"], o["reference"] = fmt.Sprintf("V-%04d", vendor), d.Format(time.DateOnly), reference
	s.at(d, rankBill, "select ledger.create_bill($1, $2)", o)
	s.settle(reference, "payment", d.AddDate(0, 0, after), 100, 0, "NEFT", fmt.Sprintf("PMT%08d", s.rand.IntN(1e8)))
}

// grievances are reasons of credit notes.
func (b buyer) grievances() []string {
	if b.services {
		return []string{"Hours not used", "Discount agreed later", "Milestone reduced"}
	}
	return []string{"Damaged in transit", "Returned by the customer", "Wrong size"}
}

func tradingCosts(s *seeder) {
	s.months(func(first time.Time, i int) {
		end := first.AddDate(0, 1, -1)
		buy(s, 6, first, object{"vendor_number": "RENT-" + first.Format("0601"), "lines": []object{{
			"description": "Rent of shop and godown", "hsn_sac": "997212", "account": "rent",
			"rate":     42000 + 2100*(i/12),
			"gst_rate": 18}}}, 4)
		buy(s, 8, first.AddDate(0, 0, 8), object{"vendor_number": "E" + first.Format("200601"), "lines": []object{{
			"description": "Electricity", "account": "electricity",
			"rate": 6200 + 100*s.rand.IntN(18) + 1400*boolInt(first.Month() == time.May), "gst_rate": 0}}}, 12)
		buy(s, 9, first.AddDate(0, 0, 11), object{"vendor_number": fmt.Sprintf("SC/%d", 310+i), "lines": []object{{
			"description": "Cartons and tape", "hsn_sac": "4819", "account": "delivery", "quantity": 400, "rate": 21,
			"gst_rate": map[bool]int{true: 12, false: 5}[first.Before(date(2025, time.September, 1))]}}}, 40)
		if first.Month()%3 == 0 {
			buy(s, 7, end.AddDate(0, 0, -3), object{"vendor_number": "JR-" + first.Format("0601"), "lines": []object{{
				"description": "Accounts and returns of the quarter", "hsn_sac": "998222", "account": "professional",
				"rate": 27000, "gst_rate": 18}}}, 25)
		}
		if first.Month() == time.October { // gifts to staff: no credit
			buy(s, 1, first.AddDate(0, 0, 9), object{"vendor_number": "GIFT-" + first.Format("06"),
				"tds_section": "none",
				"lines": []object{{"description": "Diwali gifts for the staff", "hsn_sac": "7323", "account": "office",
					"quantity": 9, "rate": 1500, "gst_rate": 5, "itc": false}}}, 20)
		}
		payroll(s, first, 128000+6400*(i/12), 4200)
		s.journal(first.AddDate(0, 0, 4), "bank", "Instalment of the term loan", "loan", 18000, "interest",
			7400-60*i, "bank", -(25400 - 60*i))
		s.journal(end, "bank", "Bank charges", "bank_charges", 236, "bank", -236)
		s.journal(end, "manual", "Depreciation of "+first.Format("January 2006"), "depreciation", 8600,
			"accumulated_depreciation", -8600)
		petty := 1900 + 50*s.rand.IntN(20)
		s.journal(first.AddDate(0, 0, 14), "manual", "Conveyance and tea", "travel", petty, "office", 800,
			"cash", -petty-800)
		s.gst(first)
	})
}

// payroll books the salaries of a month at its end and pays them on the first of
// the next one, the provident fund on the 15th, tax deducted on the 7th.
func payroll(s *seeder, first time.Time, gross, tds int) {
	end, next := first.AddDate(0, 1, -1), first.AddDate(0, 1, 0)
	month := first.Format("January 2006")
	fund := gross * 12 / 100 / 2 // half of the pay is basic
	s.journal(end, "payroll", "Salaries for "+month, "salaries", gross, "pf_expense", fund, "pf_payable", -2*fund,
		"tds_payable", -tds, "salaries_payable", -(gross - fund - tds))
	s.journal(next, "payroll", "Salaries for "+month+" paid", "salaries_payable", gross-fund-tds, "bank",
		-(gross - fund - tds))
	s.payTax(first, next.AddDate(0, 0, 14), "pf_payable", "Provident fund for "+month)
	due := next.AddDate(0, 0, 6)
	if first.Month() == time.March {
		due = next.AddDate(0, 0, 27) // by 30 April
	}
	s.payTax(first, due, "tds_payable", "TDS for "+month)
}

// gst pays the tax of a month on the 20th of the next one.
func (s *seeder) gst(first time.Time) {
	due := first.AddDate(0, 1, 19)
	s.at(due, rankJournal, "select ledger.pay_gst($1, $2, $3)", first, due)
}
