package history

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/bellhop-ai/bellhop/pkg/llm"
)

// A state is written as its texts and lists in order, each preceded by its
// length. JSON would take most of the time of opening a history.

func (s State) bytes() []byte {
	b := putText(nil, s.Agent)
	b = putText(b, s.Proposal)
	b = putText(b, string(s.Mode))
	asked := uint64(0)
	if s.Asked {
		asked = 1
	}
	b = binary.AppendUvarint(b, asked)
	b = binary.AppendUvarint(b, uint64(len(s.Steps)))
	for _, step := range s.Steps {
		b = putText(b, step.Text)
		b = binary.AppendUvarint(b, uint64(len(step.Calls)))
		for _, c := range step.Calls {
			b = putText(putText(putText(b, c.ID), c.Name), c.Arguments)
		}
		b = binary.AppendUvarint(b, uint64(len(step.Results)))
		for _, r := range step.Results {
			b = putText(putText(b, r.CallID), r.Text)
		}
	}
	// The end is left out where it says nothing.
	shorter := s.Shorter.Through > 0
	origin := s.Path != "" || s.Model != "" || len(s.Handles) > 0 || shorter
	if !s.Replaces.None() || origin {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(max(0, s.Replaces.From))),
			uint64(max(0, s.Replaces.To)))
	}
	if origin {
		b = putText(putText(b, s.Path), s.Model)
	}
	if len(s.Handles) > 0 || shorter {
		b = binary.AppendUvarint(b, uint64(len(s.Handles)))
		for _, h := range s.Handles {
			b = putText(putText(b, h.Name), h.ID)
		}
	}
	if shorter {
		b = putText(binary.AppendUvarint(b, uint64(s.Shorter.Through)), s.Shorter.Text)
	}
	return b
}

func putText(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }

var errState = errors.New("not a state of ours")

// readState reads what bytes wrote. The bytes are authentic, but may be of
// another version of this program, so they are validated.
func readState(b []byte) (*State, error) {
	r := reader{rest: string(b)}
	s := &State{Agent: r.text(), Proposal: r.text()}
	if mode := r.text(); mode != "" {
		s.Mode = []byte(mode)
	}
	s.Asked = r.number() == 1
	s.Steps = list[Step](&r)
	for i := range s.Steps {
		step := &s.Steps[i]
		step.Text = r.text()
		step.Calls = list[llm.Call](&r)
		for j := range step.Calls {
			step.Calls[j] = llm.Call{ID: r.text(), Name: r.text(), Arguments: r.text()}
		}
		step.Results = list[Result](&r)
		for j := range step.Results {
			step.Results[j] = Result{CallID: r.text(), Text: r.text()}
		}
	}
	if r.rest != "" {
		s.Replaces = Range{From: r.count(), To: r.count()}
		if r.rest != "" {
			s.Path, s.Model = r.text(), r.text()
		}
		if r.rest != "" {
			s.Handles = list[Handle](&r)
			for i := range s.Handles {
				s.Handles[i] = Handle{r.text(), r.text()}
			}
			r.failed = r.failed || len(s.Handles) == 0 && r.rest == ""
		}
		if r.rest != "" {
			s.Shorter = Shorter{Through: r.count(), Text: r.text()}
			r.failed = r.failed || s.Shorter.Through == 0
		}
		r.failed = r.failed || s.Replaces.None() && s.Path == "" && s.Model == "" &&
			len(s.Handles) == 0 && s.Shorter.Through == 0 // an end that says nothing is not written
	}
	if r.failed || r.rest != "" {
		return nil, errState
	}
	return s, nil
}

// reader takes texts and numbers off the front. After a failure all are empty.
type reader struct {
	rest   string
	failed bool
}

func (r *reader) number() uint64 {
	n, shift := uint64(0), 0
	for i := 0; i < len(r.rest) && shift < 63; i++ {
		c := r.rest[i]
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
		shift += 7
	}
	r.rest, r.failed = "", true
	return 0
}

func (r *reader) count() int {
	n := r.number()
	if n > math.MaxInt32 {
		r.failed = true
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.rest, r.failed = "", true
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// list makes room for as many items as are announced; none is shorter than a
// byte.
func list[T any](r *reader) []T {
	n := r.number()
	if n > uint64(len(r.rest)) || n > math.MaxInt32 {
		r.rest, r.failed = "", true
		return nil
	}
	if n == 0 {
		return nil
	}
	return make([]T, n)
}
