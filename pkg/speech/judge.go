package speech

import (
	"strings"
	"unicode"
)

// The limits beyond which a model itself says that it heard nothing. They are
// those of Whisper's own decoder.
const (
	noSpeech   = 0.6
	leastLog   = -1.0
	shortWords = 12 // up to so many words a text may be one of those in made
)

// Believed returns t without text that was not spoken. Models write words even
// where there is silence or noise: what they themselves call no speech,
// sentences that such silence is known to become, loops, and the prompt said
// back. A transcript of which nothing is left is silent.
func Believed(t Transcript, prompt string) (out Transcript, silent bool) {
	out = t
	if len(t.Segments) > 0 {
		out.Segments = nil
		var text []string
		for _, s := range t.Segments {
			if s.NoSpeech > noSpeech && s.LogProb < leastLog || s.NoSpeech > 0.9 || Doubtful(s.Text, prompt) {
				continue
			}
			s.Text = tidy(s.Text)
			out.Segments = append(out.Segments, s)
			text = append(text, s.Text)
		}
		if len(out.Segments) != len(t.Segments) {
			out.Text = strings.Join(text, " ")
		}
	}
	out.Text = tidy(out.Text)
	unsure := t.LogProb != nil && *t.LogProb < leastLog
	if out.Text == "" || unsure || Doubtful(out.Text, prompt) {
		out.Text, out.Segments = "", nil
		return out, true
	}
	return out, false
}

// tidy makes one line of a text, without signs that are not written.
func tidy(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))), " ")
}

// Doubtful reports whether a text has the shape of one that a model made up.
func Doubtful(text, prompt string) bool {
	words := wordsOf(text)
	if len(words) == 0 {
		return true // dots, notes, brackets
	}
	said := strings.Join(words, " ")
	// One may well say one of the names in the prompt, but not all of it.
	if p := wordsOf(prompt); len(p) > 3 && said == strings.Join(p, " ") {
		return true
	}
	if len(words) <= shortWords {
		for _, known := range made() {
			if said == known {
				return true
			}
		}
		if strings.Contains(said, "amara org") {
			return true
		}
	}
	return loops(words)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

// made lists what silence is known to become: the ends of films with which
// models were trained. None is a thing that guests say to a receptionist.
func made() []string {
	return []string{
		"thanks for watching", "thank you for watching", "thank you so much for watching",
		"thank you very much for watching",
		"please subscribe", "please subscribe to my channel", "please like and subscribe", "like and subscribe",
		"don t forget to subscribe",
		"see you in the next video", "i ll see you in the next video", "you", "bye bye bye",
		"music", "applause", "silence", "blank audio", "inaudible", "no audio", "no speech", "background noise",
		"untertitel im auftrag des zdf", "vielen dank fürs zuschauen", "gracias por ver el video",
		"merci d avoir regardé cette vidéo",
		"ご視聴ありがとうございました", "देखने के लिए धन्यवाद",
	}
}

// loops reports whether a text says the same few words over and over: eight
// times or more in a row, for up to six words.
func loops(words []string) bool {
	const times = 8
	for width := 1; width <= 6; width++ {
		same := 0
		for i := width; i < len(words); i++ {
			if words[i] != words[i-width] {
				same = 0
				continue
			}
			if same++; same >= width*(times-1) {
				return true
			}
		}
	}
	return false
}

// Held lets the pieces of a transcript through once they can hardly be made up
// any more, so that no words are shown and taken back.
type Held struct {
	Prompt string
	Show   func(string) error
	text   strings.Builder
	shown  int
}

// Say takes the next piece.
func (h *Held) Say(piece string) error {
	h.text.WriteString(piece)
	text := h.text.String()
	// The last word may be half a word.
	if len(strings.Fields(text)) <= shortWords+1 || Doubtful(text, h.Prompt) {
		return nil
	}
	return h.release(text)
}

// End shows what was held back of a text that is believed; text is the whole of
// it, for models that give no pieces.
func (h *Held) End(text string) error {
	if h.text.Len() == 0 {
		h.text.WriteString(text)
	}
	return h.release(h.text.String())
}

func (h *Held) release(text string) error {
	rest := text[h.shown:]
	if rest == "" {
		return nil
	}
	h.shown = len(text)
	return h.Show(rest)
}
