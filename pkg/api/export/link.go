package export

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/httpx"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/uploads"
)

// FileStore keeps files for a while.
type FileStore interface {
	// Save keeps a file of by's, and returns the address that gives it away for
	// so long.
	Save(ctx context.Context, by identity.Caller, name, mediaType string, content []byte) (address string,
		life time.Duration, err error)
}

// linked is where a file can be fetched.
type linked struct {
	URL       string    `json:"url"`
	ExpiresAt time.Time `json:"expiresAt"`
	Name      string    `json:"name"`
	Type      string    `json:"type"`
	Size      int       `json:"size"`
}

// bounded takes no more than a kept file may have.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if most := uploads.Sound.MaxBytes(); int64(b.Len()+len(p)) > most {
		return 0, fault.New(fault.TooLarge, "The file is larger than %d MB. Export a part of it.", most>>20)
	}
	return b.Buffer.Write(p)
}

// link keeps a file and answers with its address: for files that are larger
// than what a platform lets through.
func (h *Handler) link(w http.ResponseWriter, r *http.Request, f file) error {
	if h.cfg.Files == nil {
		return fault.New(fault.Invalid, "Files are not kept here: ask without link.")
	}
	var content bounded
	if err := f.write(&content); err != nil {
		return err
	}
	address, life, err := h.cfg.Files.Save(r.Context(), f.by, f.name, f.kind, content.Bytes())
	if err != nil {
		return err
	}
	httpx.JSON(w, http.StatusOK, linked{address, h.cfg.Now().Add(life), f.name, f.kind, content.Len()})
	return nil
}
