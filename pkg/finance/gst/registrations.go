package gst

import (
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/fault"
)

// GSTIN is the number of a registration, in its parts. Of registrations without
// the ordinary pattern only Text is filled in, and the state where they have one.
type GSTIN struct {
	Text   string // 15 capitals and digits
	State  string // code of two digits
	PAN    string // of the registered person
	Entity string // which of the person's registrations in the state: 1 to 9, A to Z
}

// PAN is a permanent account number.
type PAN struct {
	Text   string // 10 capitals and digits
	Holder string // "company", "individual", …
}

// special are the registrations whose pattern is another, by the forms that the
// schemas of the invoice registration portal use; see fits.
func special() []struct{ form, name string } {
	return []struct{ form, name string }{
		{"99AAAAX9999A+D*", "a deductor of tax at source (TDS)"},
		{"99AAAAX9999A+C*", "a collector of tax at source (TCS)"},
		{"9999AAA99999UN*", "a body of the United Nations or an embassy (UIN)"},
		{"9999AAA99999ON*", "a body of the United Nations or an embassy (UIN)"},
		{"9999AAA99999OS*", "a supplier of online services from abroad (OIDAR)"},
		{"9999AAA99999NR*", "a non-resident taxable person (NRTP)"},
	}
}

// fits reports whether s has a form: 9 stands for a digit, A for a letter, X and *
// for either, + for either but 0, and any other character for itself.
func fits(s, form string) bool {
	if len(s) != len(form) {
		return false
	}
	for i := range len(s) {
		digit, letter := s[i] >= '0' && s[i] <= '9', s[i] >= 'A' && s[i] <= 'Z'
		ok := s[i] == form[i]
		switch c := form[i]; {
		case c == '9':
			ok = digit
		case c == 'A':
			ok = letter
		case c == '*' || c == 'X':
			ok = digit || letter
		case c == '+':
			ok = (digit || letter) && s[i] != '0'
		}
		if !ok {
			return false
		}
	}
	return true
}

// CheckGSTIN reads a GSTIN in any case, with spaces around. A text that is not 15
// letters and digits is a fault.Invalid; what else does not fit, such as the
// check character, is a finding. No finding means that the form fits, not that
// the number is registered.
func CheckGSTIN(s string) (GSTIN, []Finding, error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	if !fits(text, "***************") {
		return GSTIN{}, nil, fault.New(fault.Invalid, "A GSTIN has 15 letters and digits; %q is not one.", cut(text))
	}
	g := GSTIN{Text: text}
	if !fits(text, "99AAAAA9999A+Z*") {
		for _, other := range special() {
			if fits(text, other.form) {
				if _, ok := StateName(text[:2]); ok {
					g.State = text[:2]
				}
				return g, []Finding{found("gstin_special",
					"%s has the form of the number of %s, not of an ordinary GSTIN; its check character was not "+
						"looked at.", text, other.name)}, nil
			}
		}
		return g, []Finding{found("gstin_form",
			"%s does not have the form of a GSTIN: two digits of the state, the PAN, a digit or letter, Z and a "+
				"check character.", text)}, nil
	}
	g.State, g.PAN, g.Entity = text[:2], text[2:12], text[12:13]
	var findings []Finding
	if want := checkCharacter(text[:14]); text[14] != want {
		findings = append(findings, found("gstin_check",
			"The check character of GSTIN %s does not fit: a letter or digit in it is likely wrong.", text))
	}
	if _, ok := StateName(g.State); !ok || g.State == "96" {
		findings = append(findings, found("gstin_state", "GSTIN %s begins with %s, which is not the code of a state.",
			text, g.State))
	}
	if holder(g.PAN[3]) == "" {
		findings = append(findings, found("gstin_pan",
			"The PAN in GSTIN %s has the fourth letter %c, which no kind of holder has.", text, g.PAN[3]))
	}
	return g, findings, nil
}

// checkCharacter returns the 15th character of a GSTIN: the values of the first 14
// (0 to 9, A to Z as 0 to 35) times 1, 2, 1, 2 …; quotients and remainders by 36
// are added, and the sum is completed to a multiple of 36.
func checkCharacter(first14 string) byte {
	const characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := 0
	for i := range len(first14) {
		v := strings.IndexByte(characters, first14[i]) * (1 + i%2)
		sum += v/36 + v%36
	}
	return characters[(36-sum%36)%36]
}

func holder(letter byte) string {
	switch letter {
	case 'A':
		return "association of persons"
	case 'B':
		return "body of individuals"
	case 'C':
		return "company"
	case 'F':
		return "firm"
	case 'G':
		return "government"
	case 'H':
		return "Hindu undivided family"
	case 'J':
		return "artificial juridical person"
	case 'L':
		return "local authority"
	case 'P':
		return "individual"
	case 'T':
		return "trust"
	}
	return ""
}

const panForm = "AAAAA9999A"

// CheckPAN reads a PAN in any case. A text that is not five letters, four digits
// and a letter is a fault.Invalid; a fourth letter that no kind of holder has is a
// finding. The rule of the last letter is not published, so it is not checked.
func CheckPAN(s string) (PAN, []Finding, error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	if !fits(text, panForm) {
		return PAN{}, nil, fault.New(fault.Invalid, "A PAN has five letters, four digits and a letter.")
	}
	p := PAN{Text: text, Holder: holder(text[3])}
	if p.Holder == "" {
		return p, []Finding{found("pan_holder",
			"The fourth letter of PAN %s is %c, which no kind of holder has.", MaskPAN(text), text[3])}, nil
	}
	return p, nil, nil
}

// MaskPAN hides the digits of a PAN: AAPPVXXXXK. Of a text that is not a PAN it
// hides everything.
func MaskPAN(pan string) string {
	if text := strings.ToUpper(strings.TrimSpace(pan)); fits(text, panForm) {
		return text[:5] + "XXXX" + text[9:]
	}
	return strings.Repeat("X", len([]rune(pan)))
}
