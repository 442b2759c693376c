package rest

import (
	"strconv"
	"strings"
)

// statement is SQL under construction with its parameters. Every value goes
// through param; identifiers go through quote. Nothing else of a request
// reaches the text.
type statement struct {
	args [][]byte
	keys map[string]string // path keys already given a number
}

// param adds a value and returns its placeholder. PostgreSQL infers the type
// from where it stands.
func (s *statement) param(value string) string { return s.bytes([]byte(value)) }

func (s *statement) bytes(value []byte) string {
	s.args = append(s.args, value)
	return "$" + strconv.Itoa(len(s.args))
}

// key is the key of a JSON path. The same key is the same parameter, so that
// equal expressions stay equal for GROUP BY.
func (s *statement) key(value string) string {
	if ref, ok := s.keys[value]; ok {
		return ref
	}
	if s.keys == nil {
		s.keys = map[string]string{}
	}
	ref := s.param(value)
	s.keys[value] = ref
	return ref
}

// quote writes an identifier. A zero byte, which would end the statement, is
// dropped; the parsers refuse it before.
func quote(name string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(name, "\x00", ""), `"`, `""`) + `"`
}

func quoteQualified(n name2) string { return quote(n.schema) + "." + quote(n.name) }

// quoteIfNeeded writes an identifier as PostgreSQL prints it in type names.
func quoteIfNeeded(name string) string {
	for i, r := range name {
		if r == '_' || r >= 'a' && r <= 'z' || i > 0 && (r >= '0' && r <= '9' || r == '$') {
			continue
		}
		return quote(name)
	}
	return name
}

// arrayLiteral writes a PostgreSQL array of text values.
func arrayLiteral(values []string) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('"')
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v))
		b.WriteByte('"')
	}
	b.WriteByte('}')
	return b.String()
}
