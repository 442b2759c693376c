package ledger

import (
	"fmt"
	"time"
)

// client is a customer of the services company with its retainer in rupees a month,
// and how often in a hundred months there is a project beside it.
type client struct {
	buyer
	retainer, projects, project int
	tds                         int // per cent
}

var softwareClients = []client{
	{buyer{"Cauvery Hospitals", "29", "AAECC7204B", "finance@cauvery.example", 30, 0, -2, 12, 0, true}, 145000, 25,
		260000, 10},
	{buyer{"Malnad Coffee Exports", "29", "AAGCM5586Q", "accounts@malnad.example", 30, 0, 5, 40, 0, true}, 62000, 10,
		120000, 10},
	{buyer{"Western Ghats Logistics", "27", "AADCW3318H", "ap@wglogistics.example", 45, 0, 0, 25, 0, true}, 118000,
		20, 310000, 10},
	{buyer{"Coromandel Insurance Brokers", "33", "AAHCC9921L", "billing@coromandel.example", 30, 0, 10, 55, 4, true},
		88000, 15,
		180000, 10},
	{buyer{"Yamuna Retail", "07", "AAFCY4410R", "payables@yamunaretail.example", 30, 0, 25, 95, 10, true}, 74000, 15,
		220000, 10},
	{buyer{"Hampi Heritage Trust", "29", "AAATH2257N", "office@hampitrust.example", 30, 0, 0, 15, 0, true}, 0, 30,
		90000, 0},
	{buyer{"Lakeside Analytics LLC", "96", "", "ap@lakeside.example", 15, 0, -3, 8, 0, true}, 310000, 10, 420000, 0},
	{buyer{"Straits Freight Pte Ltd", "96", "", "finance@straits.example", 30, 0, 0, 20, 0, true}, 175000, 12, 260000,
		0},
}

func seedServices(s *seeder) {
	s.email = "accounts@tungabhadra.example"
	s.company = object{"code": Services, "name": "Tungabhadra Software Services Pvt Ltd", "state": "29",
		"gstin": demoGSTIN("29", "AAKCT6093M"), "email": s.email,
		"address": "3rd floor, 22 Residency Road, Bengaluru 560025"}
	for _, c := range softwareClients {
		o := object{"name": c.name, "state": c.state, "email": c.email, "terms_days": c.terms}
		if c.pan != "" {
			o["gstin"] = demoGSTIN(c.state, c.pan)
		}
		s.contact("customer", o)
	}
	for _, o := range []object{
		{"name": "Residency Offices", "gstin": demoGSTIN("29", "AAJFR8125C"), "terms_days": 5, "tds_section": "194I"},
		{"name": "Nimbus Cloud India", "gstin": demoGSTIN("29", "AAFCN4476P"), "terms_days": 15},
		{"name": "Ananya Rao, consultant", "gstin": demoGSTIN("29", "BQTPR3308K"), "terms_days": 30,
			"tds_section": "194J-T"},
		{"name": "Iyer Legal Associates", "state": "33", "terms_days": 30, "tds_section": "194J"},
		{"name": "Fibrenet Broadband", "gstin": demoGSTIN("29", "AADCF1190J"), "terms_days": 15},
		{"name": "Prakash Computers", "gstin": demoGSTIN("29", "AEKPP7752D"), "terms_days": 30, "msme": true},
		{"name": "Devtools Inc", "state": "96", "terms_days": 0},
	} {
		s.contact("vendor", o)
	}
	s.journal(s.begin, "opening", "Opening balances", "bank", 3200000, "cash", 15000, "equipment", 640000, "1410",
		300000,
		"tds_receivable", 210000, "capital", -1000000, "retained_earnings", -3365000)
	softwareSales(s)
	softwareCosts(s)
	// The last month's returns are late: its books are locked, and not filed.
	s.closePeriods(s.filedMonth(), "locked")
}

func softwareSales(s *seeder) {
	s.months(func(first time.Time, i int) {
		end := first.AddDate(0, 1, -1)
		for n, c := range softwareClients {
			code := fmt.Sprintf("C-%04d", n+1)
			if c.retainer > 0 {
				sell(s, c.buyer, code, end.AddDate(0, 0, -s.rand.IntN(3)),
					[]object{{"description": "Support and maintenance, " +
						first.Format("January 2006"), "hsn_sac": "998313", "rate": c.retainer * (100 + 6*(i/12)) / 100,
						"gst_rate": 18}}, c.tds)
			}
			if !s.chance(c.projects + i) {
				continue
			}
			value := c.project * s.between(60, 150) / 100 / 500 * 500
			line := object{"description": []string{"Mobile application, milestone", "Data migration",
				"Reporting module",
				"Integration with payments"}[s.rand.IntN(4)], "hsn_sac": "998314", "rate": value, "gst_rate": 18}
			d := first.AddDate(0, 0, s.between(5, 24))
			if c.state == "96" {
				prepaid(s, code, d, line, value)
				continue
			}
			sell(s, c.buyer, code, d, []object{line}, c.tds)
		}
	})
	// An invoice that was sent twice by mistake, and taken back.
	d := s.today.AddDate(0, 0, -s.today.Day()+2)
	reference := s.refer("invoice")
	s.at(d, rankInvoice, "select ledger.create_invoice($1, $2)", object{"customer": "C-0001", "reference": reference,
		"date": d.Format(time.DateOnly), "lines": []object{{"description": "Training, two days", "hsn_sac": "999293",
			"rate": 45000}}})
	s.at(d.AddDate(0, 0, 1), rankNote, `select ledger.void_document($1, object_id, 'Entered twice')
		from ledger.write_references
		where company_id = $1 and reference = $2`, reference)
}

// prepaid is a project whose customer pays 40 per cent before, and the rest later.
func prepaid(s *seeder, code string, d time.Time, line object, value int) {
	before := d.AddDate(0, 0, -s.between(10, 25))
	if before.Before(s.begin) {
		before = s.begin
	}
	reference, advance := s.refer("invoice"), s.refer("advance")
	s.at(before, rankPayment, "select ledger.create_payment($1, $2)", object{"contact": code, "reference": advance,
		"date": before.Format(time.DateOnly), "amount": value * 40 / 100, "allocations": []object{}, "mode": "SWIFT",
		"bank_reference": fmt.Sprintf("FIRC%07d", s.rand.IntN(1e7))})
	s.at(d, rankInvoice, "select ledger.create_invoice($1, $2)", object{"customer": code, "lines": []object{line},
		"date": d.Format(time.DateOnly), "reference": reference})
	s.at(d, rankPayment, `select ledger.apply_advance($1, jsonb_build_object('payment', p.number, 'document', d.number,
			'date', $4::date))
		from ledger.write_references r join ledger.documents d on d.id = r.object_id,
			ledger.write_references a join ledger.payments p on p.id = a.object_id
		where r.company_id = $1 and r.reference = $2 and a.company_id = $1 and a.reference = $3`, reference, advance,
		d)
	s.settle(reference, "receipt", d.AddDate(0, 0, s.between(18, 35)), 100, 0, "SWIFT",
		fmt.Sprintf("FIRC%07d", s.rand.IntN(1e7)))
}

func softwareCosts(s *seeder) {
	s.months(func(first time.Time, i int) {
		end := first.AddDate(0, 1, -1)
		bill := func(vendor int, d time.Time, number, description, sac, account string, rate, gst, after int) {
			buy(s, vendor, d, object{"vendor_number": number + first.Format("0601"), "lines": []object{{
				"description": description, "hsn_sac": sac, "account": account, "rate": rate, "gst_rate": gst}}},
				after)
		}
		bill(1, first, "RO/", "Office rent", "997212", "rent", 85000+4250*(i/12), 18, 4)
		cloud := 58000 + 1300*i + 100*s.rand.IntN(60)
		if i == 14 {
			cloud *= 3 // a load test that nobody stopped
		}
		bill(2, end.AddDate(0, 0, -2), "NCI-", "Cloud hosting", "998315", "software", cloud, 18, 14)
		bill(5, first.AddDate(0, 0, 6), "FB", "Internet", "998422", "internet", 9800, 18, 12)
		if i%2 == 0 {
			bill(3, end.AddDate(0, 0, -4), "AR-", "Design of interfaces", "998314", "subcontract", 95000, 18, 28)
		}
		if i%5 == 2 {
			bill(4, first.AddDate(0, 0, 12), "ILA/", "Contracts", "998213", "professional", 60000, 0, 30)
		}
		if i%6 == 1 {
			bill(6, first.AddDate(0, 0, 15), "PC-", "Laptops", "8471", "equipment", 144000, 18, 30)
		}
		buy(s, 7, first.AddDate(0, 0, 2), object{"vendor_number": "DT" + first.Format("200601"),
			"reverse_charge": true,
			"lines": []object{{"description": "Development tools, seats", "hsn_sac": "997331", "account": "software",
				"quantity": 11, "rate": 1750, "gst_rate": 18}}}, 0)
		payroll(s, first, 890000+52000*(i/12)+9000*(i%12), 61000)
		s.journal(end, "bank", "Bank charges and remittance fees", "bank_charges", 1416, "bank", -1416)
		s.journal(end, "manual", "Depreciation of "+first.Format("January 2006"), "depreciation", 21000,
			"accumulated_depreciation", -21000)
		if first.Month()%3 == 0 {
			s.journal(end, "bank", "Interest on deposits", "bank", 11800+100*i, "interest_income", -(11800 + 100*i))
		}
		s.gst(first)
	})
}
