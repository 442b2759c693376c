package travellers_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/calendar"
	"github.com/bellhop-ai/bellhop/pkg/travel/travellers"
)

// Whatever stands in the fields, what is kept is in its form or is refused by field.
func FuzzCheck(f *testing.F) {
	f.Add("Zoë", "+44 7700", "a@b.example", "AB12")
	f.Fuzz(func(t *testing.T, name, phone, email, number string) {
		today := calendar.Date{Year: 2026, Month: 11, Day: 23}
		once, problems := travellers.Check(travellers.Traveller{Given: name, Phone: phone, Email: email,
			Passport: &travellers.Passport{Number: number, Country: "GB", Expires: today}}, today)
		if len(problems) > 0 {
			return
		}
		twice, problems := travellers.Check(once, today)
		if len(problems) > 0 || twice.Given != once.Given || twice.Phone != once.Phone || twice.Email != once.Email {
			t.Errorf("%+v, then %+v %v", once, twice, problems)
		}
	})
}
