package classify

// Courtesy is small talk that has an answer of its own.
type Courtesy string

// The courtesies. The zero Courtesy is none.
const (
	Greeting Courtesy = "greeting"
	Thanks   Courtesy = "thanks"
	Farewell Courtesy = "farewell"
	Help     Courtesy = "help" // what the assistant is and can do
	Fine     Courtesy = "fine" // yes, no, fine, where nothing was asked
)

var (
	thanked = newPhrases(`thanks, thank you, thankyou, thx, ty, tysm, thanks a lot, many thanks, dhanyavaad, dhanyavad,
		dhanyawad, shukriya, bahut dhanyavaad, great job, well done, good job,
		धन्यवाद, शुक्रिया`)
	left = newPhrases(`bye, bye bye, goodbye, good bye, see you, see you later, alvida, phir milenge, fir milenge,
		tata,
		good night, अलविदा, फिर मिलेंगे`)
)

// CourtesyOf returns which courtesy a message is, if it is nothing else.
func CourtesyOf(text string) Courtesy {
	words := fold(text)
	switch is := smallTalk(words); {
	case is == noTalk:
		return ""
	case is == meta:
		return Help
	case len(left().in(words)) > 0:
		return Farewell
	case len(thanked().in(words)) > 0:
		return Thanks
	case is == answer:
		return Fine
	}
	return Greeting
}
