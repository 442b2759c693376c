package duffel

import (
	"fmt"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"
)

// traveller is a passenger of a new order.
type traveller struct {
	ID        string     `json:"id"`
	Title     string     `json:"title"`
	Gender    string     `json:"gender"`
	Given     string     `json:"given_name"`
	Family    string     `json:"family_name"`
	Born      string     `json:"born_on"`
	Email     string     `json:"email"`
	Phone     string     `json:"phone_number"`
	Infant    string     `json:"infant_passenger_id"`
	Documents []document `json:"identity_documents"`
}

// document identifies a traveller.
type document struct {
	Type    string `json:"type"`
	Number  string `json:"unique_identifier"`
	Country string `json:"issuing_country_code"`
	Expires string `json:"expires_on"`
}

var (
	nameForm    = regexp.MustCompile(`^[A-Za-zÀ-ÖØ-öø-ÿ][A-Za-zÀ-ÖØ-öø-ÿ' -]{0,19}$`)
	phoneForm   = regexp.MustCompile(`^\+[1-9]\d{6,14}$`)
	countryForm = regexp.MustCompile(`^[A-Z]{2}$`)
)

// checkTravellers compares those of a new order with the passengers of its offer.
func (o *offer) checkTravellers(list []traveller) *problem {
	if len(list) == 0 {
		return required("/passengers")
	}
	last := o.journeys[len(o.journeys)-1]
	departs := last[len(last)-1].departs
	seen := map[string]bool{}
	for i, t := range list {
		at := fmt.Sprintf("/passengers/%d/", i)
		k := slices.IndexFunc(o.request.passengers, func(p passenger) bool { return p.ID == t.ID })
		switch {
		case t.ID == "":
			return required(at + "id")
		case k < 0:
			return invalid("validation_inclusion", at+"id", "Field 'id' must be the id of a passenger of the offer")
		case seen[t.ID]:
			return invalid("validation_unique", at+"id", "Field 'id' must be unique")
		}
		seen[t.ID] = true
		if p := t.check(at, o.request.passengers[k], departs); p != nil {
			return p
		}
		if o.documents && t.age(departs) >= 0 {
			if p := t.checkDocuments(at, last[len(last)-1].arrives); p != nil {
				return p
			}
		}
	}
	if len(seen) < len(o.request.passengers) {
		return invalid("validation_length", "/passengers",
			"Field 'passengers' must have the same passengers as the offer request")
	}
	return o.checkInfants(list)
}

// check is what every airline asks of a passenger.
func (t traveller) check(at string, p passenger, departs time.Time) *problem {
	for _, field := range []struct{ name, value string }{
		{"title", t.Title}, {"gender", t.Gender}, {"given_name", t.Given}, {"family_name", t.Family},
		{"born_on", t.Born}, {"email", t.Email}, {"phone_number", t.Phone},
	} {
		if strings.TrimSpace(field.value) == "" {
			return required(at + field.name)
		}
	}
	born, err := time.Parse(time.DateOnly, t.Born)
	_, mailErr := mail.ParseAddress(t.Email)
	switch {
	case !slices.Contains([]string{"mr", "mrs", "ms", "miss", "dr"}, t.Title):
		return invalid("validation_inclusion", at+"title", "Field 'title' must be one of mr, ms, mrs, miss, dr")
	case t.Gender != "m" && t.Gender != "f":
		return invalid("validation_inclusion", at+"gender", "Field 'gender' must be one of m, f")
	case !nameForm.MatchString(t.Given):
		return invalid("validation_format", at+"given_name",
			"Field 'given_name' can only have letters of the Latin alphabet, spaces, hyphens and apostrophes")
	case !nameForm.MatchString(t.Family):
		return invalid("validation_format", at+"family_name",
			"Field 'family_name' can only have letters of the Latin alphabet, spaces, hyphens and apostrophes")
	case err != nil:
		return invalid("validation_format", at+"born_on", "Field 'born_on' must be a valid date")
	case !phoneForm.MatchString(t.Phone):
		return invalid("invalid_phone_number", at+"phone_number", "Field 'phone_number' must be in the E.164 format")
	case mailErr != nil:
		return invalid("invalid_email_address", at+"email", "Field 'email' must be a valid email address")
	}
	age := years(born, departs)
	fits := p.Type == "adult" && age >= 18
	if p.Age != nil {
		fits = age == *p.Age
	} else if p.Type != "adult" {
		fits = kindOf(age) == p.Type
	}
	if !fits {
		return invalid("validation_format", at+"born_on",
			"Field 'born_on' must fit the age of the passenger in the offer request, on the date of the last flight")
	}
	return nil
}

// age is a traveller's age on a day, in years.
func (t traveller) age(day time.Time) int {
	born, err := time.Parse(time.DateOnly, t.Born)
	if err != nil {
		return -1
	}
	return years(born, day)
}

func years(born, day time.Time) int {
	n := day.Year() - born.Year()
	if day.Format("0102") < born.Format("0102") {
		n--
	}
	return n
}

// checkDocuments is asked where the offer requires identity documents.
func (t traveller) checkDocuments(at string, arrives time.Time) *problem {
	if len(t.Documents) == 0 {
		return required(at + "identity_documents")
	}
	for i, d := range t.Documents {
		at := fmt.Sprintf("%sidentity_documents/%d/", at, i)
		switch {
		case d.Type != "passport":
			return invalid("validation_inclusion", at+"type", "Field 'type' must be passport")
		case d.Number == "":
			return required(at + "unique_identifier")
		case len(d.Number) > 15:
			return invalid("validation_length", at+"unique_identifier",
				"Field 'unique_identifier' should be at most 15 characters")
		case !countryForm.MatchString(d.Country):
			return invalid("validation_format", at+"issuing_country_code",
				"Field 'issuing_country_code' must be an ISO 3166-1 alpha-2 code")
		case d.Expires == "":
			return required(at + "expires_on")
		case d.Expires < arrives.Format(time.DateOnly):
			return invalid("validation_format", at+"expires_on", "Field 'expires_on' must be after the last flight")
		}
	}
	return nil
}

// checkInfants asks that an adult holds every infant.
func (o *offer) checkInfants(list []traveller) *problem {
	kinds, held := map[string]string{}, map[string]bool{}
	for _, p := range o.request.passengers {
		kinds[p.ID] = p.Type
	}
	for i, t := range list {
		if t.Infant == "" {
			continue
		}
		at := fmt.Sprintf("/passengers/%d/infant_passenger_id", i)
		if kinds[t.Infant] != "infant_without_seat" || kinds[t.ID] != "adult" {
			return invalid("validation_inclusion", at, "Field 'infant_passenger_id' must name an infant, on an adult")
		}
		if held[t.Infant] {
			return invalid("validation_unique", at, "Field 'infant_passenger_id' must be unique")
		}
		held[t.Infant] = true
	}
	for _, p := range o.request.passengers {
		if p.Type == "infant_without_seat" && !held[p.ID] {
			return required("/passengers/0/infant_passenger_id")
		}
	}
	return nil
}
