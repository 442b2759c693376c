package conversations

// Budget bounds what is loaded of a conversation.
type Budget struct {
	// Tokens and Messages are how much a conversation may have to be loaded
	// whole.
	Tokens, Messages int
	// Recent is how many messages are loaded of a longer one.
	Recent int
}

// ForModel is the budget of a client that only goes on with a conversation.
func ForModel() Budget { return Budget{Tokens: 30_000, Messages: 1000, Recent: 10} }

// ForPage is the budget of one that also shows it.
func ForPage() Budget { return Budget{Tokens: 30_000, Messages: 50, Recent: 20} }

// Compacts reports whether a conversation is too long to be loaded whole.
func (b Budget) Compacts(c Conversation) bool {
	return c.EstimatedTokens > b.Tokens || c.MessageCount > b.Messages
}

// Choose returns those of the newest messages that a turn needs, and whether
// older ones are left out. Of a conversation that is too long these are the
// recent ones, and everything that the summary does not cover, as far as that was
// loaded.
func (b Budget) Choose(l Load) (messages []Message, compacted bool) {
	if !b.Compacts(l.Detail.Conversation) && !l.More {
		return l.Messages, false
	}
	from := max(0, len(l.Messages)-b.Recent)
	if through := l.Detail.Summary.Through; through > 0 {
		for from > 0 && l.Messages[from-1].Seq > through {
			from--
		}
	}
	return l.Messages[from:], true
}
