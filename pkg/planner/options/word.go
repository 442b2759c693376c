package options

import (
	"context"

	"github.com/bellhop-ai/bellhop/pkg/planner/structured"
	"github.com/bellhop-ai/bellhop/pkg/planner/trip"
)

// Word gives the options the words of a model, one call for each, at the same time.
func Word(_ context.Context, _ structured.Ask, _ trip.Context, set Set) Set {
	return set
}
