package postgres

import (
	"context"
	"errors"
)

func cached(context.Context, Config, *account) (binaries, error) {
	return binaries{}, errors.New("there is no PostgreSQL on this machine; install one (apt-get install postgresql, or brew install postgresql@17)")
}
