// Package pdf reads the text of PDF files. It is small and suspicious: it finds
// objects by looking for them instead of following a file's own tables, every
// step costs something of a budget that ends, and whatever goes wrong inside is
// one refusal. The libraries that there are trust a file for its lengths, its
// depths and its references, and cannot be stopped once they are lost in it.
//
// It reads no forms, no annotations and no encrypted files, and it puts words
// into the order in which the file draws them.
package pdf

import (
	"errors"
	"fmt"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/uploads/excerpt"
	"github.com/bellhop-ai/bellhop/pkg/work"
)

// Limits of a file.
const (
	MaxPages   = 500
	MaxObjects = 100_000
	maxHeld    = 24 << 20 // bytes that what was read may take, about
	maxCodes   = 250_000  // characters and widths of all fonts together
	maxDrawn   = 1 << 20  // bytes of text of one page
	maxInflate = 24 << 20 // bytes of all streams together, which may all be kept
	maxStream  = 8 << 20  // bytes of one
	maxDepth   = 40
)

// Text is what a file says.
type Text struct {
	Body  string
	Pages int
	Left  int // characters that are left out of Body
}

// errRoom ends the reading of a file that would not fit into memory.
var errRoom = errors.New("the file takes too much memory")

// Read reads a file and pays for it from the budget. It returns
// fault.Unprocessable with a sentence for one that is refused, and the error of
// the budget's context where that ended. It never panics, and ends soon whatever
// the file says.
func Read(budget *work.Budget, b []byte) (text Text, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			if spent := budget.Err(); spent != nil {
				text, err = Text{}, spent
				return
			}
			cause, ok := trouble.(error)
			if !ok {
				cause = fmt.Errorf("%v", trouble)
			}
			text, err = Text{}, fault.Wrap(fault.Unprocessable, cause,
				"The PDF file is damaged, or too complicated to be read.")
		}
	}()
	f := &file{budget: budget, b: b, room: maxHeld, codes: maxCodes, inflate: maxInflate, offsets: map[int]int{},
		packed: map[int]place{}, known: map[int]object{}, fonts: map[ref]*font{}}
	if err := f.find(); err != nil {
		return Text{}, err
	}
	pages, err := f.pages()
	if err != nil {
		return Text{}, err
	}
	var out excerpt.Excerpt
	for i, p := range pages {
		if len(pages) > 1 {
			out.Add(fmt.Sprintf("[Page %d]\n", i+1))
		}
		out.Add(f.textOf(p))
		f.words = f.words || f.drew
		out.Add("\n\n")
		if out.Full() && out.Left() > 2*excerpt.Most {
			break // how much more there is does not matter
		}
	}
	if !f.words {
		return Text{}, fault.New(fault.Unprocessable,
			"There is no text in the PDF file: its pages are pictures, or drawn in a way that cannot be read.")
	}
	return Text{Body: out.String(), Pages: len(pages), Left: out.Left()}, nil
}

// page is a page's content with what it may name.
type page struct {
	content   object
	resources dict
}

// pages walks the tree of pages.
func (f *file) pages() ([]page, error) {
	root := f.dict(f.trailer["Root"])
	if root == nil {
		root = f.catalog()
	}
	if root == nil {
		return nil, fault.New(fault.Unprocessable, "The PDF file is damaged and cannot be read.")
	}
	var list []page
	seen := map[ref]bool{}
	var walk func(o object, inherited dict, depth int) error
	walk = func(o object, inherited dict, depth int) error {
		f.spend(1)
		if r, ok := o.(ref); ok {
			if seen[r] {
				return nil
			}
			seen[r] = true
		}
		node := f.dict(o)
		if node == nil || depth > maxDepth {
			return nil
		}
		if own := f.dict(node["Resources"]); own != nil {
			inherited = own
		}
		if kids, ok := f.resolve(node["Kids"]).(array); ok {
			for _, kid := range kids {
				if err := walk(kid, inherited, depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		if len(list) == MaxPages {
			return fault.New(fault.Unprocessable, "The PDF file has more than %d pages.", MaxPages)
		}
		list = append(list, page{node["Contents"], inherited})
		return nil
	}
	if err := walk(root["Pages"], nil, 0); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fault.New(fault.Unprocessable, "The PDF file has no pages.")
	}
	return list, nil
}
