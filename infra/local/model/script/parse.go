package script

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Parse reads steps in their compact form. A blank line ends an answer, and
// so does a fault line. Lines that begin with # are ignored.
//
//	route AGENT             the answer of Route; it stands alone
//	say TEXT                text; further say lines are further lines of it
//	call NAME [ARGUMENTS]   a call, {} if nothing follows; further call lines
//	                        are parallel calls; arguments need not be JSON
//	finish REASON           overrides the finish_reason
//	usage PROMPT COMPLETION what the answer reports
//	times N                 answers N requests, or all that come: times forever
//	for router|agent        answers only requests that do (router) or do not
//	                        (agent) offer route_to_agent
//	wire bytes|crlf         how a stream is sent: Bytes, CRLF; both may be named
//	fault WHAT              one of those below, after what it breaks off
//
// Faults, named as their functions do:
//
//	fault 429 [retry-after=1] [code=C] [type=T] [MESSAGE]   other names are headers
//	fault html-502
//	fault reset
//	fault cut-stream [after=EVENTS]
//	fault end-stream [after=EVENTS]
//	fault cut-args NAME ARGUMENTS
//	fault no-finish
//	fault empty
//	fault null
//	fault refusal TEXT
//	fault filter
//	fault error [after=EVENTS] [MESSAGE]
//	fault long-line [bytes=N]
//	fault unknown-events
//
// An error names the line, counted from 1.
func Parse(text string) ([]Step, error) {
	var p parser
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		var err error
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.TrimSpace(line) == "":
			err = p.end()
		default:
			if !p.open {
				p.open, p.from = true, i+1
			}
			err = p.line(line)
		}
		if err != nil {
			return nil, fmt.Errorf("script line %d: %w", i+1, err)
		}
	}
	if err := p.end(); err != nil {
		return nil, fmt.Errorf("script line %d: %w", p.from, err)
	}
	return p.steps, nil
}

// parser holds the answer that is being read.
type parser struct {
	steps []Step
	step  Step
	open  bool
	from  int // the line on which the answer begins
	said  bool
	route bool
}

func (p *parser) end() error {
	if !p.open {
		return nil
	}
	if !p.said && len(p.step.Calls) == 0 && p.step.Fault.kind == none {
		return fmt.Errorf("the answer that begins on line %d says nothing", p.from)
	}
	*p = parser{steps: append(p.steps, p.step)}
	return nil
}

func (p *parser) line(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	if p.route {
		return errors.New("a route stands alone: leave a blank line after it")
	}
	switch verb {
	case "route":
		return p.readRoute(rest)
	case "say":
		if len(p.step.Calls) > 0 {
			return errors.New("say stands before call: leave a blank line if it is the next answer")
		}
		if p.said {
			p.step.Text += "\n"
		}
		p.step.Text += rest
		p.said = true
		return nil
	case "call":
		call, err := readCall(rest)
		p.step.Calls = append(p.step.Calls, call)
		return err
	case "finish":
		if len(strings.Fields(rest)) != 1 {
			return errors.New("finish needs one reason")
		}
		p.step.Finish = strings.TrimSpace(rest)
		return nil
	case "usage":
		return p.readUsage(rest)
	case "times":
		return p.readTimes(rest)
	case "for":
		switch strings.TrimSpace(rest) {
		case "router":
			p.step.When = FromRouter
		case "agent":
			p.step.When = FromAgent
		default:
			return fmt.Errorf("an answer is for router or for agent, not for %q", rest)
		}
		return nil
	case "wire":
		for _, how := range strings.Fields(rest) {
			switch how {
			case "bytes":
				p.step.Bytes = true
			case "crlf":
				p.step.CRLF = true
			default:
				return fmt.Errorf("wire knows bytes and crlf, not %q", how)
			}
		}
		return nil
	case "fault":
		if err := p.readFault(rest); err != nil {
			return err
		}
		return p.end()
	}
	return fmt.Errorf("%q begins no line: use route, say, call, finish, usage, times, for, wire or fault", verb)
}

func (p *parser) readRoute(rest string) error {
	if p.said || len(p.step.Calls) > 0 {
		return errors.New("a route stands alone: leave a blank line before it")
	}
	if len(strings.Fields(rest)) != 1 {
		return errors.New("route needs the name of one agent")
	}
	r := Route(strings.TrimSpace(rest))
	p.step.When, p.step.Calls, p.route = r.When, r.Calls, true
	return nil
}

func (p *parser) readUsage(rest string) error {
	words := strings.Fields(rest)
	if len(words) != 2 {
		return errors.New("usage needs two numbers: prompt and completion tokens")
	}
	var err1, err2 error
	p.step.Usage.Prompt, err1 = strconv.Atoi(words[0])
	p.step.Usage.Completion, err2 = strconv.Atoi(words[1])
	return errors.Join(err1, err2)
}

func (p *parser) readTimes(rest string) error {
	if strings.TrimSpace(rest) == "forever" {
		p.step.Times = -1
		return nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(rest))
	if err != nil || n < 1 {
		return fmt.Errorf("times needs a number from 1, or forever, not %q", rest)
	}
	p.step.Times = n
	return nil
}

func readCall(rest string) (Call, error) {
	name, arguments, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if name == "" {
		return Call{}, errors.New("call needs the name of a tool")
	}
	return Call{Name: name, Arguments: strings.TrimSpace(arguments)}, nil
}

func (p *parser) readFault(rest string) error {
	name, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	options, text := readOptions(rest)
	size := func(option string) (int, error) {
		given, ok := options[option]
		delete(options, option)
		if !ok {
			return 0, nil
		}
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 {
			return 0, fmt.Errorf("%s needs a number from 1, not %q", option, given)
		}
		return n, nil
	}
	var f Fault
	var n int
	var err error
	takes := false // whether text may follow
	switch faultKind(name) {
	case "html-502":
		f = BadGateway()
	case reset:
		f = Reset()
	case cutStream:
		n, err = size("after")
		f = CutStream(n)
	case endStream:
		n, err = size("after")
		f = EndStream(n)
	case cutArgs:
		var call Call
		call, err = readCall(rest) // the arguments may look like options
		p.step.Calls = append(p.step.Calls, call)
		if err == nil && call.Arguments == "" {
			err = errors.New("fault cut-args needs the arguments up to the cut")
		}
		f, options, takes = CutArguments(), nil, true
	case noFinish:
		f = NoFinish()
	case empty:
		f = EmptyChoices()
	case null:
		f = NullContent()
	case refusal:
		f, options, takes = Refusal(strings.TrimSpace(rest)), nil, true
		if f.text == "" {
			err = errors.New("fault refusal needs the text")
		}
	case filter:
		f = Filter()
	case streamFail:
		n, err = size("after")
		f, takes = StreamError(n, text), true
	case unknownEvents:
		f = UnknownEvents()
	case longLine:
		n, err = size("bytes")
		f = LongLine(n)
	default:
		code, bad := strconv.Atoi(name)
		if bad != nil || code < 300 || code > 599 {
			return fmt.Errorf("%q is no fault: use an HTTP status from 300, html-502, reset, cut-stream, "+
				"end-stream, cut-args, no-finish, empty, null, refusal, filter, error, long-line or "+
				"unknown-events", name)
		}
		f, options, takes = readStatus(code, options, text), nil, true
	}
	if err != nil {
		return err
	}
	for option := range options {
		return fmt.Errorf("fault %s has no option %q", name, option)
	}
	if text != "" && !takes {
		return fmt.Errorf("fault %s takes no text", name)
	}
	if f.alone() && (p.said || len(p.step.Calls) > 0) {
		return fmt.Errorf("fault %s leaves no room for say and call: leave a blank line before it", name)
	}
	p.step.Fault = f
	return nil
}

// readOptions splits name=value words from the text after them.
func readOptions(rest string) (map[string]string, string) {
	options := map[string]string{}
	for {
		rest = strings.TrimSpace(rest)
		word, after, _ := strings.Cut(rest, " ")
		name, value, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return options, rest
		}
		options[name], rest = value, after
	}
}

func readStatus(code int, options map[string]string, message string) Fault {
	header := http.Header{"Content-Type": {"application/json"}}
	for name, value := range options {
		if name != "code" && name != "type" {
			header.Set(name, value)
		}
	}
	return Status(code, header, statusBody(code, options["type"], options["code"], message))
}
