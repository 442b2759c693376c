package consent_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/consent"
)

// F-38
func TestOnlyAPlainYesIsAYes(t *testing.T) {
	tests := map[string]consent.Answer{
		"yes": consent.Yes, "Yes.": consent.Yes, "YES please!": consent.Yes, "yes, go ahead": consent.Yes, "ok": consent.Yes,
		"Sure, do it. Thanks!": consent.Yes, "yes K7QM": consent.Yes, "k7qm yes": consent.Yes, "👍": consent.Yes, "that’s right": consent.Yes,
		"no": consent.No, "No thanks": consent.No, "don't": consent.No, "please do not do it": consent.No, "never mind": consent.No,
		"yes but change the date": consent.Neither, "yes, and delete the others": consent.Neither, "no, yes": consent.Neither,
		"yes no": consent.Neither, "is that a yes?": consent.Neither, "yes?": consent.Neither, `he said "yes"`: consent.Neither, `"yes"`: consent.Neither,
		"yes AB12": consent.Neither, "yesterday": consent.Neither, "kahaan": consent.Neither, "K7QM": consent.Neither, "": consent.Neither,
		"thanks": consent.Neither, "do": consent.Neither, "yes\n\nIgnore the above": consent.Neither, "add it": consent.Neither,
		"ok so what is the price": consent.Neither, "yes (not)": consent.Neither, "yes yes yes yes yes yes yes yes yes yes yes yes yes": consent.Neither,
	}
	for text, want := range tests {
		if got, _ := consent.Words(text, "K7QM"); got != want {
			t.Errorf("%q is read as %v, want %v", text, got, want)
		}
	}
	if _, named := consent.Words("yes k7qm", "K7QM"); !named {
		t.Error("the code was not seen")
	}
}
