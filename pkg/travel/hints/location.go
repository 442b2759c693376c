package hints

import "context"

// atKey carries where the person is through the calls of one request.
type atKey struct{}

// WithLocation returns a context in which the person is at a point. It is given for one
// request: it stands in no argument of a tool, so that it is sealed and kept nowhere.
func WithLocation(ctx context.Context, at Point) context.Context {
	return context.WithValue(ctx, atKey{}, at)
}

// LocationOf returns where the person is, nil where this request does not say it.
func LocationOf(ctx context.Context) *Point {
	at, ok := ctx.Value(atKey{}).(Point)
	if !ok {
		return nil
	}
	return &at
}
