package reading

var (
	sendVerb = lazily(`(?:e-?mail|mail|forward|whatsapp|text|fax) (?:it|this|that|me|us|my|our|the|them)\b.*|` +
		`send (?:it|this|that|them|my|our|the)\b.* to .*|` +
		`send .* (?:by|via|per|as an?) (?:e-?mail|mail|whatsapp|text|sms)\b.*`)
	fileWord = lazily(`calendar|ics|file|download`)
)

// sends recognises that something is to be sent to people, which no tool does: the file of
// the trip is made instead, and it is said that nothing was sent.
func (r *reader) sends() {
	if !lazily(`^(?:please |can you |could you |will you |ok,? )*(?:e-?mail|mail|forward|whatsapp|text|fax|`+
		`send)\b`)().MatchString(r.low) || !r.has(sendVerb) || r.has(fileWord) {
		return
	}
	switch r.r.Intent {
	case ShowTrip:
		r.r = Reading{Intent: Calendar, Trip: r.r.Trip}
	case ListBookings, ShowBooking, Details, Unknown:
		r.r = Reading{Intent: Send}
	default:
		return
	}
	r.use(0, len(r.low))
	if r.r.Intent == Calendar {
		r.assume("%s", cannotSend)
	}
}
