// Package vocabulary says how an assistant's domain talks: which words beyond
// everybody's name its acts and its things. It is plain data, read where people's
// answers are understood and where a model's claims are checked.
package vocabulary

// Words are an assistant's own. The zero Words are those of an assistant whose
// tools and users need no more than the common ones: create, change, delete,
// send, yes and no. All are in small letters.
type Words struct {
	// Names are what people call the assistant when they answer it: "bernard".
	Names []string
	// Nouns are what people call the objects of tools, besides the tools' own
	// words for them.
	Nouns []Noun
	// Verbs are acts that the common words do not name.
	Verbs []Verb
	// Confirmed are the things whose confirmation is an act: an answer with "your
	// booking is confirmed" says that something was done.
	Confirmed []string
	// Authors says whose texts tools may bring that the person did not write:
	// "guests or others". "" is "others".
	Authors string
}

// Noun is a thing that tools handle.
type Noun struct {
	Object string   // as names of tools have it, with spaces: "room type"
	Said   []string // as people call it: "cabin", "room"
}

// Verb is an act, as people command it and as a model reports it.
type Verb struct {
	// Tools are whole names of tools that do it, or their first words: "block"
	// stands for block_dates.
	Tools   []string
	English []string // as it is commanded: "book"
	Loans   []string // words that take "कर दो": "बुक"
	Done    []string // as it is reported: "booked"
	// Backed are the first words of the names of tools whose success makes such a
	// report true. For a report that the common words know, they are further ones.
	Backed []string
}
