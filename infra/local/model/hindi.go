package model

import (
	"regexp"
	"strings"
)

// devanagari are words for days and their like, with the Latin ones that mean the
// same. Longer ones stand before their beginnings.
var devanagari = strings.Fields(`
	जनवरी January फरवरी February फ़रवरी February मार्च March अप्रैल April मई May जून June जुलाई July
	अगस्त August सितंबर September सितम्बर September अक्टूबर October अक्तूबर October नवंबर November
	नवम्बर November दिसंबर December दिसम्बर December
	सोमवार Monday मंगलवार Tuesday बुधवार Wednesday गुरुवार Thursday शुक्रवार Friday शनिवार Saturday रविवार Sunday
	परसों parso कल kal आज aaj क्रिसमस Christmas
	अगले agle अगली agle अगला agle पिछले pichle पिछली pichle पिछला pichle इस is
	हफ्ते hafte हफ़्ते hafte सप्ताह hafte महीने mahine महीना mahine साल saal रात raat रातें raat दिन din
	से se तक tak को ko लिए liye के ke था tha थी thi थे the हुई hui हुआ hua आया aaya आए aaye गया gaya`)

var devanagariWords = pairsOf(devanagari)

func pairsOf(list []string) map[string]string {
	out := map[string]string{}
	for i := 0; i+1 < len(list); i += 2 {
		out[list[i]] = list[i+1]
	}
	return out
}

// latin writes such words in Latin letters, padded with blanks so that every
// other word stays where it was.
func latin(text string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if l, ok := devanagariWords[w]; ok && len(l) <= len(w) {
			return l + strings.Repeat(" ", len(w)-len(l))
		}
		return w
	})
}

// spokenOfPast are verbs and auxiliaries of what has been, which make "kal"
// yesterday; without one it is tomorrow.
var spokenOfPast = regexp.MustCompile(`(?i)\b(?:tha|thi|hua|hui|hue|aaya|aayi|aaye|gaya|gayi|gaye|kiya|kamaya|kamai ` +
	`hui|mila|mili|bika|biki)\b`)
