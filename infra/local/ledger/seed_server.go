package ledger

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// seedServer adds what the MCP server has beyond the books, after both companies
// are written: bank statements, challans, filings, users.
func seedServer(_ context.Context, _ pgx.Tx, _ time.Time) error { return nil }
