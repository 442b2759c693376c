package page_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/portfolio/projects"
)

// A page is in the language of its texts, as far as it has words for it, and runs from
// right to left where the language does.
func TestLanguagesOfAPage(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ title, text, lang, dir, says string }{
		"English": {"Oak kitchen", "The wall between the rooms was taken out.", "en", "ltr",
			"Materials"},
		"Spanish": {"Reforma de cocina", "Los dueños querían más luz para la familia.", "es", "ltr",
			"Duración"},
		"French": {"Cuisine en chêne",
			"Le mur entre les deux pièces est tombé, et la lumière est là.", "fr", "ltr", "Matériaux"},
		"German": {"Küche aus Eiche", "Die Wand wurde entfernt und der Raum ist mit der Insel hell.",
			"de", "ltr", "Dauer"},
		"Hindi":                    {"ओक की रसोई", "दीवार हटाई गई और एक बड़ा कमरा बना।", "hi", "ltr", "सामग्री"},
		"Arabic":                   {"مطبخ من خشب البلوط", "غرفتان بينهما جدار.", "ar", "rtl", "المواد"},
		"Persian":                  {"آشپزخانه چوبی", "پنجره بزرگ و گاز چهار شعله.", "fa", "rtl", "Materials"},
		"Hebrew":                   {"מטבח מעץ אלון", "קיר הוסר.", "he", "rtl", "Materials"},
		"Chinese":                  {"橡木厨房", "两个房间之间的墙被拆除。", "zh", "ltr", "Materials"},
		"a name":                   {"Oak", "", "en", "ltr", "Materials"},
		"a word in another script": {"Oak kitchen", "The clients call it रसोई and love it.", "en", "ltr", "Materials"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pg := kitchen()
			pg.Title, pg.Type, pg.Description, pg.Blocks = tc.title, "", tc.text, nil
			_, root := written(t, pg)
			doc := all(root, "html")[0]
			if attr(doc, "lang") != tc.lang || attr(doc, "dir") != tc.dir {
				t.Errorf("the document is %s, %s", attr(doc, "lang"), attr(doc, "dir"))
			}
			if !strings.Contains(words(doc), tc.says) {
				t.Errorf("the page does not say %q", tc.says)
			}
			if attr(all(root, "h1")[0], "dir") != "auto" {
				t.Error("the title's direction is fixed")
			}
		})
	}
}

// Every language has every word, with its verbs.
func TestWordsOfAPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("templates/words.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string]string
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for code, own := range all {
		if len(own) != len(all["en"]) || strings.Count(own["photo"], "%d") != 1 ||
			strings.Count(own["photo"], "%s") != 1 ||
			strings.Count(own["hello"], "%s") != 1 {
			t.Errorf("%s has %v", code, own)
		}
		for name := range all["en"] {
			if own[name] == "" {
				t.Errorf("%s has no word for %q", code, name)
			}
		}
	}
}

// Invisible characters, among them those that turn the order of writing, are not
// published.
func TestInvisibleCharactersOfAPage(t *testing.T) {
	t.Parallel()
	pg := kitchen()
	pg.Title = "Oak\u202e kitchen\u200b"
	pg.Blocks = []projects.Block{{Kind: projects.Paragraph, Text: "The wall\u2066 came out.\x00"}}
	text, root := written(t, pg)
	if got := words(all(root, "h1")[0]); got != "Oak kitchen" || strings.ContainsAny(text, "\u202e\u200b\u2066\x00") {
		t.Errorf("the title is %q", got)
	}
}
