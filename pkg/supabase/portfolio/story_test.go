package portfolio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/story"
)

// Whatever is said can be kept: also ten thousand letters without a full stop, again
// and again.
func TestWhateverIsSaidIsKept(t *testing.T) {
	t.Parallel()
	f := newFirm(t)
	p := f.begin()
	spoken := "so we did this kitchen in Leeds for like three weeks and the problem was the wall was wet so we took " +
		"14 bags of plaster and oak and then pine and brass and uh "
	for name, said := range map[string]string{
		"spoken":     strings.Repeat(spoken, 80),
		"one word":   strings.Repeat("x", 10000),
		"sentences":  strings.Repeat("We laid 14 oak boards in Leeds for Mr Smith. The problem was damp. ", 150),
		"list":       strings.Repeat("oak, pine, brass, slate, copper, ", 300),
		"an emoji":   "\U0001F600",
		"controls":   "a\u0000b\u0007c \u202e\u200b d",
		"markup":     "<script>alert(1)</script> " + strings.Repeat("<b>", 3000),
		"devanagari": strings.Repeat("हमने लीड्स में रसोई बनाई 14 दिन में। ", 300),
	} {
		for _, asked := range []string{"", "problem", "place"} {
			_, err := f.store.Merge(t.Context(), f.manager, p.Code, func(now projects.Project) (projects.Changes,
				error) {
				return story.Read(now, said, asked).Changes, nil
			})
			if err != nil {
				t.Errorf("%s, asked for %q: %v", name, asked, err)
			}
		}
	}
	// Of what is more than fits, the newest stays.
	long, whole := projects.Story{Problem: strings.Repeat("न", 2000)}, strings.Repeat("न", 1500)
	for i := range 90 {
		long.Facts = append(long.Facts, fmt.Sprint(i, whole))
		long.Notes = append(long.Notes, projects.Note{Field: "problem", Was: fmt.Sprint(i, whole), Is: whole})
	}
	got := f.change(p.Code, projects.Changes{Story: &long}).Story
	if len(got.Facts) != 60 || len(got.Notes) != 20 || !strings.HasPrefix(got.Facts[0], "30न") ||
		!strings.HasPrefix(got.Notes[19].Was, "89न") {
		t.Errorf("there are %d facts, %d notes", len(got.Facts), len(got.Notes))
	}
}
