package writer

import (
	"fmt"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// Alts returns a description for each photo of the project that has none: of what kind of
// job it is, when in it the photo was taken, and the photo's number, which is all that is
// known without a look at it.
func Alts(p projects.Project) []projects.PhotoChange {
	job := strings.TrimSpace(p.Type)
	if job == "" {
		job = strings.TrimSpace(p.Title)
	}
	if job == "" {
		job = "the job"
	}
	var out []projects.PhotoChange
	all := p.Ready()
	for n, i := range all {
		if i.Alt != "" {
			continue
		}
		alt := map[projects.Stage]string{projects.Before: job + " before the work",
			projects.During: job + " during the work", projects.After: job + " after the work"}[i.Stage]
		if alt == "" {
			alt = job
		}
		alt = upper(alt)
		if len(all) > 1 {
			alt += fmt.Sprintf(", photo %d of %d", n+1, len(all))
		}
		out = append(out, projects.PhotoChange{ID: i.ID, Alt: &alt})
	}
	return out
}
