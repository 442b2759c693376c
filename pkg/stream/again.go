package stream

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/bellhop-ai/bellhop/pkg/consent"
	"github.com/bellhop-ai/bellhop/pkg/part"
)

// formMark stands between the frames of an answer and its native frames, before the
// name of the form of the former. The native frames have no such character.
const formMark = "\x1e"

// Split divides what was kept of an answer: its frames as they were sent, the name
// of their form, and the native frames of the same events. Where only one form was
// kept, form and native are "".
func Split(kept string) (own, form, native string) {
	i := strings.LastIndex(kept, formMark)
	if i < 0 {
		return kept, "", ""
	}
	form, native, _ = strings.Cut(kept[i+len(formMark):], "\n")
	return kept[:i], form, native
}

// After returns the native frames after the event with an id; all of them where none
// has it.
func After(frames, id string) string {
	if id == "" {
		return frames
	}
	_, rest, found := strings.Cut("\n"+frames, "\nid: "+id+"\n")
	if !found {
		return frames
	}
	_, rest, _ = strings.Cut(rest, "\n\n")
	return rest
}

// eventID is the id of a native event: turn, step, number.
var eventID = regexp.MustCompile(`^(.+)\.(\d+)\.\d+$`)

// TurnOf returns the name of the turn of an event, "" for what is no event's id.
func TurnOf(id string) string {
	if m := eventID.FindStringSubmatch(id); m != nil {
		return m[1]
	}
	return ""
}

// Encode returns native frames in another form. enc is used up.
func Encode(enc Encoding, native string) (string, error) {
	events, err := decode(native)
	if err != nil {
		return "", err
	}
	return encodeEvents(enc, events)
}

func encodeEvents(enc Encoding, events []Event) (string, error) {
	var b strings.Builder
	for _, e := range events {
		frame, err := enc.Encode(e)
		if err != nil {
			return "", err
		}
		b.Write(frame)
	}
	return b.String(), nil
}

// decode returns the events of native frames, without their Store. The data of
// events that all forms take alike is a json.RawMessage.
func decode(native string) ([]Event, error) {
	var list []Event
	for frame := range strings.SplitSeq(native, "\n\n") {
		if frame == "" || strings.HasPrefix(frame, ":") {
			continue
		}
		head, data, ok := strings.Cut(frame, "\ndata: ")
		id, name, ok2 := strings.Cut(strings.TrimPrefix(head, "id: "), "\nevent: ")
		m := eventID.FindStringSubmatch(id)
		if !ok || !ok2 || m == nil {
			return nil, fmt.Errorf("a frame of %d bytes is no native event", len(frame))
		}
		e := Event{Name: name}
		var err error
		if e.Step, err = strconv.Atoi(m[2]); err != nil {
			return nil, err
		}
		e.Run, data = cutRun(data)
		if e.Data, err = dataOf(name, []byte(data)); err != nil {
			return nil, fmt.Errorf("decode the event %s: %w", name, err)
		}
		list = append(list, e)
	}
	return list, nil
}

// cutRun takes the name of a run out of the data into which withRun put it.
func cutRun(data string) (run, rest string) {
	after, ok := strings.CutPrefix(data, `{"run":"`)
	if !ok {
		return "", data
	}
	run, rest, _ = strings.Cut(after, `"`)
	return run, "{" + strings.TrimPrefix(rest, ",")
}

// dataOf decodes the data of an event of that name.
func dataOf(name string, data []byte) (any, error) {
	switch name {
	case "response_chunk":
		return as[textData](data)
	case "executing_tool":
		return as[startedData](data)
	case "tool_result":
		return as[finishedData](data)
	case "part":
		return as[part.Part](data)
	case "proposal":
		return as[consent.View](data)
	case "write_committed":
		return as[committedData](data)
	case Complete:
		return as[Completed](data)
	case Failure:
		return as[map[string]Problem](data)
	}
	return json.RawMessage(data), nil
}

func as[T any](data []byte) (any, error) {
	var v T
	err := json.Unmarshal(data, &v)
	return v, err
}
