package travel

import (
	"bytes"
	"net/http"

	"github.com/bellhop-ai/bellhop/pkg/chart"
	"github.com/bellhop-ai/bellhop/pkg/export/pdf"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/planner/picture"
)

// planDocument answers with the options of a plan as a PDF file.
func (h *Handler) planDocument(w http.ResponseWriter, r *http.Request, by identity.Caller) (int, any, error) {
	p, err := h.cfg.Plans.Plan(r.Context(), by, r.PathValue("code"))
	if err != nil {
		return 0, nil, err
	}
	run, err := h.runAsked(r, by, p)
	if err != nil {
		return 0, nil, err
	}
	paper := picture.Paper{Title: run.Context.Title(), Detail: run.Context.Detail(), Selected: selected(p, run),
		Wide: pdf.LyingWide, High: pdf.LyingHigh}
	// Written as a whole first, so that a failure is an answer of its own.
	var file bytes.Buffer
	err = pdf.WriteScenes(&file, paper.Title, h.cfg.Now(),
		func(measure func(text string, size float64, bold bool) float64) []chart.Scene {
			paper.Measure = measure
			return paper.Pages(*run.Options)
		})
	if err != nil {
		return 0, nil, err
	}
	w.Header().Set("Content-Type", "application/pdf")
	w.Header().Set("Content-Disposition", `attachment; filename="`+p.Trip+`-plans.pdf"`)
	_, _ = w.Write(file.Bytes()) // the reader may be gone
	return http.StatusOK, nil, nil
}
