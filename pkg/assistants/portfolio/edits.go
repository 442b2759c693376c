package portfolio

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// privacyQuestion is asked once there are photos: pictures say who lives where.
const privacyQuestion = "Can people's faces or number plates be seen in the photos?"

const (
	nothingSeen = "No, neither"
	allAgreed   = "Yes, and the people agreed"
	takenOut    = "I will take photos out"
)

func privacyAnswers() []string { return []string{nothingSeen, allAgreed, takenOut} }

// The forms of orders that are understood without a model. They are whole messages, so
// that a story is not taken for one.
var (
	titleOrder = regexp.MustCompile(
		`(?i)^(?:please )?(?:(?:change|set|make) )?(?:the )?title (?:to|is|should be|:)\s*["“]?(.+?)["”]?$|^call it ` +
			`["“]?(.+?)["”]?$`)
	descriptionOrder = regexp.MustCompile(
		`(?i)^(?:please )?(?:(?:change|set|make) )?(?:the )?description (?:to|is|should be|:)\s*["“]?(.+?)["”]?$`)
	tagsOrder   = regexp.MustCompile(`(?i)^(?:please )?(?:(?:change|set) )?(?:the )?tags (?:to|are|:)\s*(.+?)$`)
	addTagOrder = regexp.MustCompile(`(?i)^(?:please )?add (?:the |a )?tags? ["“]?(.+?)["”]?\.?$`)
	heroOrder   = regexp.MustCompile(
		`(?i)^(?:please )?(?:use|take|put|make|show) (?:photo|picture|image)(?: number)? #?(\d{1,2}) (?:as (?:the ` +
			`)?)?(?:first|hero|main|cover|on top|at the top|the (?:first|hero|main|cover))(?: ` +
			`(?:photo|picture|one))?\.?$`)
	stageOrder = regexp.MustCompile(
		`(?i)^(?:photos?|pictures?|images?) #?(\d{1,2})(?: ?(?:-|–|to|and|,) ?#?(\d{1,2}))? ` +
			`(?:is|are|was|were|shows?)(?: from)? (before|during|after)\.?$`)
	altOrder = regexp.MustCompile(
		`(?i)^(?:photo|picture|image) #?(\d{1,2}) (?:shows?|is of|is)\s+(.{3,200})$`)
	removeOrder = regexp.MustCompile(
		`(?i)^(?:please )?(?:remove|delete|take out|drop) (?:photo|picture|image)(?: number)? #?(\d{1,2})\.?$`)
	placeOrder = regexp.MustCompile(
		`(?i)^(?:please )?(?:(?:show|name) (?:only )?the (country|region|city|town|district)(?: only)?|(hide|leave ` +
			`out|do not show|don'?t show) the (?:place|location|town|city))\.?$`)
)

// profileOrder changes the profile of the business, for which a person is asked.
var profileOrder = regexp.MustCompile(
	`(?i)^(?:my|our) (phone|telephone|whatsapp|e-?mail|website|business name|company name|name|city)` +
		`(?: number| address)? is (?:now )?(.+?)\.?$`)

// profileEdit returns the call of an order about the profile; false for any other message.
func profileEdit(text string) (agent.PlannedCall, bool) {
	m := profileOrder.FindStringSubmatch(text)
	if m == nil {
		return agent.PlannedCall{}, false
	}
	field := map[string]string{"phone": "phone", "telephone": "phone", "whatsapp": "whatsApp", "email": "email",
		"e-mail": "email", "website": "website", "business name": "name", "company name": "name", "name": "name",
		"city": "city"}[strings.ToLower(m[1])]
	return agent.PlannedCall{Tool: "updateBusinessProfile", Purpose: "change the profile",
		Arguments: map[string]any{field: m[2]}}, true
}

// isEdit reports whether a message is an order that edits understands.
func isEdit(text string) bool {
	text = strings.TrimSpace(text)
	for _, r := range []*regexp.Regexp{titleOrder, descriptionOrder, tagsOrder, addTagOrder, heroOrder, stageOrder,
		altOrder,
		removeOrder, placeOrder, profileOrder} {
		if r.MatchString(text) {
			return true
		}
	}
	return false
}

// edits returns the calls that a message orders, and what they are for; none for any other
// message. asked is the subject of the open question.
func edits(p projects.Project, text, asked string) ([]agent.PlannedCall, string) {
	text = strings.TrimSpace(text)
	field := func(name string, value any) ([]agent.PlannedCall, string) {
		args := map[string]any{"project": p.Code, "field": name}
		if list, ok := value.([]string); ok {
			args["values"] = list
		} else {
			args["value"] = value
		}
		purpose := "change the " + name
		return []agent.PlannedCall{{Tool: "updateField", Purpose: purpose, Arguments: args}}, purpose
	}
	if asked == "privacy" {
		if c, ok := privacyAnswer(p, text); ok {
			return []agent.PlannedCall{c}, c.Purpose
		}
	}
	if c, ok := profileEdit(text); ok {
		return []agent.PlannedCall{c}, c.Purpose
	}
	if m := titleOrder.FindStringSubmatch(text); m != nil {
		return field("title", m[1]+m[2])
	}
	if m := descriptionOrder.FindStringSubmatch(text); m != nil {
		return field("description", m[1])
	}
	if m := tagsOrder.FindStringSubmatch(text); m != nil {
		var tags []string
		for t := range strings.SplitSeq(m[1], ",") {
			if t = strings.TrimSpace(t); t != "" {
				tags = append(tags, t)
			}
		}
		return field("tags", tags)
	}
	if m := addTagOrder.FindStringSubmatch(text); m != nil {
		return field("tags", append(slices.Clone(p.Tags), m[1]))
	}
	if m := placeOrder.FindStringSubmatch(text); m != nil {
		detail := map[string]projects.Detail{"country": projects.ByCountry, "region": projects.ByRegion,
			"city": projects.ByCity, "town": projects.ByCity, "district": projects.ByDistrict}[strings.ToLower(m[1])]
		if m[2] != "" {
			detail = projects.Nowhere
		}
		return field("locationDetail", string(detail))
	}
	return photoEdits(p, text)
}

// photoEdits returns the calls of an order about photos.
func photoEdits(p projects.Project, text string) ([]agent.PlannedCall, string) {
	one := func(tool, purpose, number string, more map[string]any) agent.PlannedCall {
		args := map[string]any{"project": p.Code, "photo": number}
		for k, v := range more {
			args[k] = v
		}
		return agent.PlannedCall{Tool: tool, Purpose: purpose, Arguments: args}
	}
	if m := heroOrder.FindStringSubmatch(text); m != nil {
		c := agent.PlannedCall{Tool: "reorderImages", Purpose: "choose the first photo",
			Arguments: map[string]any{"project": p.Code, "hero": m[1]}}
		return []agent.PlannedCall{c}, c.Purpose
	}
	if m := stageOrder.FindStringSubmatch(text); m != nil {
		from, _ := strconv.Atoi(m[1])
		to := from
		if m[2] != "" {
			to, _ = strconv.Atoi(m[2])
		}
		var photos []string
		for n := from; n <= to && len(photos) < projects.MaxImages; n++ {
			photos = append(photos, strconv.Itoa(n))
		}
		if len(photos) > 0 {
			c := agent.PlannedCall{Tool: "describePhoto", Purpose: "say when photos were taken",
				Arguments: map[string]any{"project": p.Code, "photos": photos, "stage": strings.ToLower(m[3])}}
			return []agent.PlannedCall{c}, c.Purpose
		}
	}
	if m := removeOrder.FindStringSubmatch(text); m != nil {
		c := one("removePhoto", "take a photo out", m[1], nil)
		return []agent.PlannedCall{c}, c.Purpose
	}
	if m := altOrder.FindStringSubmatch(text); m != nil {
		c := one("describePhoto", "say what a photo shows", m[1], map[string]any{"alt": m[2]})
		return []agent.PlannedCall{c}, c.Purpose
	}
	return nil, ""
}

// privacyAnswer returns the call for an answer to privacyQuestion.
func privacyAnswer(p projects.Project, text string) (agent.PlannedCall, bool) {
	said := folded(text)
	var value string
	switch {
	case said == folded(nothingSeen), said == "no", said == "none", said == "neither", said == "nope",
		strings.HasPrefix(said, "no faces"), strings.HasPrefix(said, "nothing to be seen"):
		value = "none"
	case said == folded(allAgreed), strings.HasSuffix(said, "agreed"), strings.HasSuffix(said, "they agree"):
		value = "agreed"
	default:
		return agent.PlannedCall{}, false
	}
	return agent.PlannedCall{Tool: "confirmPhotoPrivacy", Purpose: "keep what the photos show of people",
		Arguments: map[string]any{"project": p.Code, "faces": value, "plates": value}}, true
}
