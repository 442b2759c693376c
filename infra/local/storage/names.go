package storage

import (
	"net/http"
	"strings"
)

// Longest names, in bytes. A bucket's is Supabase's rule, an object's is S3's.
const (
	maxBucketName = 100
	maxObjectName = 1024
)

// allowedMarks are what a name may hold besides ASCII letters, digits and the
// underscore: those that S3 takes without special care.
const allowedMarks = `!-.*'() &$@=;:+,?`

// checkName refuses an object name that Supabase refuses, or that reads
// otherwise as a path than as a text.
func checkName(name string) error {
	ok := name != "" && len(name) <= maxObjectName
	for part := range strings.SplitSeq(name, "/") {
		ok = ok && part != "" && part != "." && part != ".." && isPlain(part)
	}
	if !ok {
		return refuse(http.StatusBadRequest, "InvalidKey", "Invalid key: "+name)
	}
	return nil
}

func checkBucket(name string) error {
	if name == "" || len(name) > maxBucketName || name == "." || name == ".." ||
		name != strings.TrimSpace(name) || !isPlain(name) {
		return refuse(http.StatusBadRequest, "Invalid Input", "Bucket name invalid")
	}
	return nil
}

func isPlain(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
			return false
		}
		return !strings.ContainsRune(allowedMarks, c)
	})
}
