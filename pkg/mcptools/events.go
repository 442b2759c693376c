package mcptools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxBeside bounds what a stream holds besides the answer: requests and
// notifications of the server, none of which are followed.
const maxBeside = 1 << 20

// event reads an event stream until the answer to the message that was sent, and
// returns it.
func (x *exchange) event(body io.Reader, most int, sent message) ([]byte, error) {
	lines := bufio.NewReaderSize(body, 16<<10)
	var data []byte
	beside := 0
	for {
		line, err := readLine(lines, most)
		value, isData := bytes.CutPrefix(line, []byte("data:"))
		if isData {
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
		} else {
			beside += len(line)
		}
		switch {
		case errors.Is(err, errLong) || len(data) > most:
			return x.shortened(data[:min(len(data), most)], sent)
		case err != nil && !errors.Is(err, io.EOF):
			return nil, x.odd(fmt.Errorf("it broke off: %w", err))
		case beside > maxBeside:
			return nil, x.odd(errors.New("the stream holds too much besides the answer"))
		case len(line) > 0 && err == nil:
			continue
		}
		// An empty line ends an event. What the end of the stream ends is no event,
		// but some servers leave the line out.
		if len(data) > 0 {
			var m message
			if json.Unmarshal(data, &m) != nil {
				return nil, x.odd(errors.New("an event is no message"))
			}
			if m.Method == "" {
				return data, nil
			}
			beside += len(data)
			data = data[:0]
		}
		if errors.Is(err, io.EOF) {
			return nil, x.odd(errors.New("the stream ended without an answer"))
		}
	}
}

// errLong is the error of a line that is too long.
var errLong = errors.New("it is too long")

// readLine reads a line without its end. Of one that is longer than most it
// returns the beginning and errLong.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if line = append(line, piece...); len(line) > most {
				return line[:max(0, most)], errLong
			}
			continue
		}
		line = append(line, piece...)
		line = bytes.TrimSuffix(line, []byte("\n"))
		return bytes.TrimSuffix(line, []byte("\r")), err
	}
}
