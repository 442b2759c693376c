package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"
)

// zipped returns a zip file with one executable file, bootstrap, and the
// file's SHA-256 in hex. It depends on nothing but the content.
func zipped(content []byte) (archive []byte, sum string, err error) {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	header := &zip.FileHeader{
		Name:   "bootstrap",
		Method: zip.Deflate,
		// The first moment that the format can tell: a build has no date.
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	// Lambda refuses to start a file that is not executable.
	header.SetMode(0o755)
	entry, err := w.CreateHeader(header)
	if err != nil {
		return nil, "", err
	}
	if _, err := entry.Write(content); err != nil {
		return nil, "", err
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	digest := sha256.Sum256(buf.Bytes())
	return buf.Bytes(), hex.EncodeToString(digest[:]), nil
}
