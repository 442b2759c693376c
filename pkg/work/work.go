// Package work limits the cost of reading untrusted bytes. A small file can
// take hours: one text that is referenced a million times, a part that unpacks
// to a thousand times its size, tables with cycles. Every reader of such bytes
// spends from one Budget, in steps and in bytes that it produces, and ends when
// the budget is used up or its context is cancelled.
package work

import (
	"context"
	"io"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// What the reading of one file may cost. A step is a tag, a token, a frame, or
// about a hundred nanoseconds of anything else.
const (
	MaxSteps = 4_000_000
	MaxBytes = 80 << 20
)

// Code is the code of the fault that says that a budget is spent.
const Code = "too_much_work"

// interval is after how many steps a budget asks whether its context has ended.
// As many times perStep bytes count the same.
const (
	interval = 1024
	perStep  = 256
)

// Amount is an amount of work.
type Amount struct {
	Steps int64 // of whatever is done again and again
	Bytes int64 // that come to be: unpacked, decoded or copied
}

// Budget is what one reading may cost. It holds the context of the reading,
// since much of what spends from it, such as an io.Reader, is given none. It is
// not safe for concurrent use.
type Budget struct {
	ctx   context.Context
	most  Amount
	spent Amount
	due   int64 // steps until the context is asked again
	err   error
}

// New returns a budget of that much.
func New(ctx context.Context, most Amount) *Budget { return &Budget{ctx: ctx, most: most} }

// ForFile returns the budget for one file.
func ForFile(ctx context.Context) *Budget {
	return New(ctx, Amount{Steps: MaxSteps, Bytes: MaxBytes})
}

// Spend charges steps and bytes before they are produced. It returns the error
// of the context if that has ended, and a fault.Unprocessable error with the
// code too_much_work where too little is left. After an error there is nothing
// left.
func (b *Budget) Spend(steps, bytes int) error {
	if b.err != nil {
		return b.err
	}
	b.due -= int64(steps) + int64(bytes)/perStep
	if b.due < 0 {
		b.due = interval
		if b.err = b.ctx.Err(); b.err != nil {
			return b.err
		}
	}
	if int64(steps) > b.most.Steps-b.spent.Steps || int64(bytes) > b.most.Bytes-b.spent.Bytes {
		b.err = fault.New(fault.Unprocessable,
			"This file asks for more work than is allowed, though it may be small.").WithCode(Code)
		return b.err
	}
	b.spent.Steps += int64(steps)
	b.spent.Bytes += int64(bytes)
	return nil
}

// Steps charges that many steps.
func (b *Budget) Steps(n int) error { return b.Spend(n, 0) }

// Err returns why the budget gives nothing any more: the error of its context,
// if that has ended, or that of the Spend that was refused. It is nil otherwise.
func (b *Budget) Err() error {
	if b.err == nil {
		b.err = b.ctx.Err()
	}
	return b.err
}

// Spent returns what was spent so far. It is never more than there was.
func (b *Budget) Spent() Amount { return b.spent }

// chunk is the most that a Reader reads at once.
const chunk = 64 << 10

// Reader returns a reader that charges the bytes read from in, and fails when
// the budget is used up. It is for decoders that cannot be stopped otherwise:
// one that is asked for more gets the error.
func (b *Budget) Reader(in io.Reader) io.Reader { return &reader{b, in} }

type reader struct {
	budget *Budget
	in     io.Reader
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.budget.Err(); err != nil {
		return 0, err
	}
	n, err := r.in.Read(p[:min(len(p), chunk)])
	if spent := r.budget.Spend(1, n); spent != nil {
		return 0, spent
	}
	return n, err
}
