package model

import (
	"fmt"
	"regexp"
	"strings"
)

// Sentence is what somebody may say to an agent, with what it should lead to.
type Sentence struct {
	Text string
	// Readings are the calls that are right, any of them; none where nothing is
	// known but the agent.
	Readings []Reading
	// Asks says that a question is right: something is missing, or nothing of the
	// assistant's fits. Asked names the tool that the question is about, "" for none.
	Asks  bool
	Asked string
}

// Reading is a call that a sentence may mean.
type Reading struct {
	Tool string
	// Args are the arguments as text: lists as JSON or in brackets without quotes. A name that
	// begins with "?" may be left out, the value "*" is any.
	Args map[string]string
	// Open says that there may be further arguments.
	Open bool
}

var argument = regexp.MustCompile(`(\??\w+)=('(?:[^']|'\w)*'|"[^"]*"|\[[^\]]*\]|\S+)`)

// ParseSentence reads a line such as
//
//	is COCO free tonight => check_availability room=COCO check_in=2026-11-20 | ask
//
// Behind "=>" stand the calls that are right, "ask" where a question is, perhaps
// with the tool that it is about, and "..." for further arguments.
func ParseSentence(line string) (Sentence, error) {
	text, wanted, labelled := strings.Cut(line, " => ")
	s := Sentence{Text: strings.TrimSpace(text)}
	if s.Text == "" {
		return Sentence{}, fmt.Errorf("the line %q holds no sentence", line)
	}
	if !labelled {
		return s, nil
	}
	for each := range strings.SplitSeq(wanted, " | ") {
		name, rest, _ := strings.Cut(strings.TrimSpace(each), " ")
		if name == "" {
			return Sentence{}, fmt.Errorf("the line %q names no call", line)
		}
		if name == "ask" {
			s.Asks, s.Asked = true, strings.TrimSpace(rest)
			continue
		}
		r := Reading{Tool: name, Args: map[string]string{}, Open: strings.HasSuffix(rest, "...")}
		for _, m := range argument.FindAllStringSubmatch(rest, -1) {
			r.Args[m[1]] = strings.Trim(m[2], `'"`)
		}
		s.Readings = append(s.Readings, r)
	}
	return s, nil
}
