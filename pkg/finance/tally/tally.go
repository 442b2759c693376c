// Package tally writes entries of the books as XML that Tally imports: vouchers,
// and the ledgers that they name.
//
// The form is that of Tally's developer reference, "Integration of transactions":
// an ENVELOPE with IMPORTDATA, one TALLYMESSAGE for each ledger and voucher. In
// Tally a debit has a negative AMOUNT and ISDEEMEDPOSITIVE Yes, a credit a positive
// one and No; the amounts of a voucher sum to zero.
package tally

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/money"
)

// Ledger is an account or a party.
type Ledger struct {
	Name  string
	Group string // one of Tally's own groups, such as "Sundry Debtors"
	GSTIN string // of a party; empty for none
	State string // of a party, by name
}

// Entry is a debit or a credit of a voucher. Exactly one of them is not zero.
type Entry struct {
	Ledger        string
	Party         bool
	Debit, Credit money.Amount
}

// Voucher is an entry of the books. Its debits and credits have the same sum.
type Voucher struct {
	Type      string // "Sales", "Purchase", "Receipt", "Payment", "Journal", …
	Number    string
	Reference string // the vendor's number of a bill
	Date      calendar.Date
	Party     string // the ledger of the party, or empty
	Narration string
	Entries   []Entry
}

// Books are what is written into a file.
type Books struct {
	Company  string
	Ledgers  []Ledger
	Vouchers []Voucher
}

type envelope struct {
	XMLName xml.Name `xml:"ENVELOPE"`
	Request string   `xml:"HEADER>TALLYREQUEST"`
	Report  string   `xml:"BODY>IMPORTDATA>REQUESTDESC>REPORTNAME"`
	// Messages are in the order in which Tally needs them: ledgers first.
	Messages []message `xml:"BODY>IMPORTDATA>REQUESTDATA>TALLYMESSAGE"`
}

type message struct {
	UDF     string   `xml:"xmlns:UDF,attr"`
	Ledger  *ledger  `xml:"LEDGER"`
	Voucher *voucher `xml:"VOUCHER"`
}

type ledger struct {
	Name         string `xml:"NAME,attr"`
	Action       string `xml:"ACTION,attr"`
	Names        string `xml:"NAME.LIST>NAME"`
	Parent       string `xml:"PARENT"`
	Registration string `xml:"GSTREGISTRATIONTYPE,omitempty"`
	GSTIN        string `xml:"PARTYGSTIN,omitempty"`
	State        string `xml:"LEDSTATENAME,omitempty"`
	Country      string `xml:"COUNTRYOFRESIDENCE,omitempty"`
}

type voucher struct {
	RemoteID  string        `xml:"REMOTEID,attr"`
	Type      string        `xml:"VCHTYPE,attr"`
	Action    string        `xml:"ACTION,attr"`
	View      string        `xml:"OBJVIEW,attr"`
	Date      string        `xml:"DATE"`
	Effective string        `xml:"EFFECTIVEDATE"`
	TypeName  string        `xml:"VOUCHERTYPENAME"`
	Number    string        `xml:"VOUCHERNUMBER"`
	Reference string        `xml:"REFERENCE,omitempty"`
	Party     string        `xml:"PARTYLEDGERNAME,omitempty"`
	Persisted string        `xml:"PERSISTEDVIEW"`
	Narration string        `xml:"NARRATION,omitempty"`
	Entries   []ledgerEntry `xml:"ALLLEDGERENTRIES.LIST"`
}

type ledgerEntry struct {
	Ledger   string `xml:"LEDGERNAME"`
	Positive string `xml:"ISDEEMEDPOSITIVE"`
	Party    string `xml:"ISPARTYLEDGER"`
	Amount   string `xml:"AMOUNT"`
}

const view = "Accounting Voucher View"

// Write writes the file. A voucher that does not balance, or that names a ledger
// which is not among the ledgers, is an error, and then nothing was written.
func (b Books) Write(w io.Writer) error {
	e := envelope{Request: "Import Data", Report: "All Masters"}
	known := map[string]bool{}
	for _, l := range b.Ledgers {
		known[l.Name] = true
		e.Messages = append(e.Messages, message{UDF: "TallyUDF", Ledger: l.element()})
	}
	seen := map[string]int{}
	for _, v := range b.Vouchers {
		if err := v.check(known); err != nil {
			return err
		}
		place := strings.Join([]string{v.Type, v.Number, v.Date.String()}, "\x00")
		seen[place]++
		e.Messages = append(e.Messages, message{UDF: "TallyUDF", Voucher: v.element(b.Company, seen[place])})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", " ")
	if err := enc.Encode(e); err != nil {
		return fmt.Errorf("write a file for Tally: %w", err)
	}
	return enc.Close()
}

func (v Voucher) check(known map[string]bool) error {
	sum := money.Zero
	for _, e := range v.Entries {
		var err error
		if sum, err = sum.Add(e.Debit); err == nil {
			sum, err = sum.Sub(e.Credit)
		}
		if err != nil {
			return err
		}
		if !known[e.Ledger] {
			return fmt.Errorf("voucher %s names the ledger %q, which is not in the file", v.Number, e.Ledger)
		}
	}
	if !sum.IsZero() || len(v.Entries) < 2 {
		return fault.New(fault.Upstream, "The entry %s of the books does not balance, so no file was written.",
			v.Number)
	}
	return nil
}

func (l Ledger) element() *ledger {
	out := &ledger{Name: l.Name, Action: "Create", Names: l.Name, Parent: l.Group, GSTIN: l.GSTIN, State: l.State}
	if slices.Contains([]string{debtors, creditors}, l.Group) {
		out.Registration = map[bool]string{true: "Regular", false: "Unregistered"}[l.GSTIN != ""]
		if l.State != "" {
			out.Country = "India"
		}
	}
	return out
}

// element names a voucher by what it is, so that a file that is imported twice
// changes what is there in place of adding it again. nth tells entries apart that
// have the same type, number and date.
func (v Voucher) element(company string, nth int) *voucher {
	id := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%d", company, v.Type, v.Number, v.Date, nth))
	day := strings.ReplaceAll(v.Date.String(), "-", "")
	out := &voucher{RemoteID: "bellhop-" + hex.EncodeToString(id[:16]), Type: v.Type, Action: "Create", View: view,
		Date: day, Effective: day, TypeName: v.Type, Number: v.Number, Reference: v.Reference, Party: v.Party,
		Persisted: view, Narration: v.Narration}
	for _, e := range v.Entries {
		one := ledgerEntry{Ledger: e.Ledger, Positive: "No", Party: yes(e.Party), Amount: e.Credit.Round(2).String()}
		if !e.Debit.IsZero() {
			minus, _ := money.Zero.Sub(e.Debit) // a sign needs no digit
			one.Positive, one.Amount = "Yes", minus.Round(2).String()
		}
		out.Entries = append(out.Entries, one)
	}
	return out
}

func yes(b bool) string {
	if b {
		return "Yes"
	}
	return "No"
}
