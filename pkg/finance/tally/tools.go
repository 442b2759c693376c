package tally

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/finance/rupees"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/part"
	"github.com/bellhop-ai/bellhop/pkg/tool"
)

//go:embed tools/export_to_tally.md
var exportText string

// maxDays is how long a period may be: the day book is read day by day.
const maxDays = 92

// Files keeps files for a while; uploads.Service is one.
type Files interface {
	// Save keeps a file of by's, and returns the address that gives it away for so
	// long.
	Save(ctx context.Context, by identity.Caller, name, mediaType string, content []byte) (address string,
		life time.Duration, err error)
}

type input struct {
	From calendar.Date `json:"from" jsonschema:"the first day, YYYY-MM-DD"`
	To   calendar.Date `json:"to" jsonschema:"the last day, YYYY-MM-DD"`
}

// Check bounds the period.
func (in *input) Check() error {
	switch days := in.From.Until(in.To) + 1; {
	case days < 1:
		return fault.New(fault.Invalid, "The period ends on %s, before it begins on %s.", rupees.Date(in.To),
			rupees.Date(in.From))
	case days > maxDays:
		return fault.New(fault.Invalid, "One file has at most three months; %s to %s are %d days.",
			rupees.Date(in.From), rupees.Date(in.To), days)
	}
	return nil
}

// Tools returns the tool that writes files for Tally. Without files it says that
// none are kept.
func Tools(read Reader, files Files) []tool.Tool {
	s := service{read, files}
	return []tool.Tool{tool.New(tool.Spec{Name: "export_to_tally", Effect: tool.Writes, Target: tool.Own,
		Description: exportText, Extension: "accountants keep books in Tally", Shows: []string{(part.Link{}).Kind()}},
		s.export)}
}

type service struct {
	read  Reader
	files Files
}

func (s service) export(ctx context.Context, by identity.Caller, in input) (exported, error) {
	if s.files == nil || s.read == nil {
		return exported{}, fault.New(fault.Unavailable, "Files are not kept here, so there is nothing to download.").
			WithCode("files_not_set_up")
	}
	books, err := Read(ctx, by, s.read, in.From, in.To)
	if err != nil {
		return exported{}, err
	}
	if len(books.Vouchers) == 0 {
		return exported{}, fault.New(fault.Unprocessable, "The books have no entries from %s to %s.",
			rupees.Date(in.From), rupees.Date(in.To))
	}
	var content bytes.Buffer
	if err := books.Write(&content); err != nil {
		return exported{}, err
	}
	out := exported{From: in.From, To: in.To, Vouchers: map[string]int{}, Ledgers: len(books.Ledgers),
		Name: fmt.Sprintf("tally-%s-to-%s.xml", in.From, in.To)}
	for _, v := range books.Vouchers {
		out.Vouchers[v.Type]++
	}
	address, life, err := s.files.Save(ctx, by, out.Name, "application/xml", content.Bytes())
	if err != nil {
		return exported{}, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return exported{}, fmt.Errorf("address of a file: %w", err)
	}
	out.Minutes = int(life.Minutes())
	out.link = part.NewLink("Download "+out.Name, address, []string{u.Host})
	return out, nil
}

// exported says what is in a file. The address is for the person alone.
type exported struct {
	From     calendar.Date  `json:"from"`
	To       calendar.Date  `json:"to"`
	Vouchers map[string]int `json:"vouchers"` // by type
	Ledgers  int            `json:"ledgers"`
	Name     string         `json:"file"`
	Minutes  int            `json:"link_valid_minutes"`
	link     part.Link
}

// Show returns the link to the file.
func (e exported) Show() []part.Data { return []part.Data{e.link} }

// Count is the number of vouchers.
func (e exported) Count() int {
	n := 0
	for _, of := range e.Vouchers {
		n += of
	}
	return n
}

// Summarize says what is in the file and how it is used.
func (e exported) Summarize() string {
	var kinds []string
	for _, kind := range []string{"Sales", "Purchase", "Receipt", "Payment", "Contra", "Credit Note", "Debit Note",
		"Journal"} {
		if n := e.Vouchers[kind]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, kind))
		}
	}
	return fmt.Sprintf("%s has the entries from %s to %s for Tally: %s vouchers and %d ledgers. Open the company in "+
		"Tally and import it there; the link is valid for %d minutes.", e.Name, rupees.Date(e.From), rupees.Date(e.To),
		strings.Join(kinds, ", "), e.Ledgers, e.Minutes)
}
