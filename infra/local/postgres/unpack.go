package postgres

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// unpack writes the package's native folder, and nothing else of it, into dir.
func unpack(archive io.Reader, dir string) error {
	zip, err := gzip.NewReader(archive)
	if err != nil {
		return err
	}
	for files := tar.NewReader(zip); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, wanted := strings.CutPrefix(header.Name, "package/")
		if !wanted || !strings.HasPrefix(name, "native/") || header.Typeflag != tar.TypeReg {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("the archive has a file outside of itself: %q", header.Name)
		}
		if err := writeFile(filepath.Join(dir, name), files, header.FileInfo().Mode()); err != nil {
			return err
		}
	}
}

func writeFile(path string, content io.Reader, mode os.FileMode) error {
	if err := mkdirShared(filepath.Dir(path)); err != nil {
		return err
	}
	perm := os.FileMode(0o644)
	if mode&0o100 != 0 {
		perm = 0o755
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, content); err != nil {
		file.Close()
		return err
	}
	if err := file.Chmod(perm); err != nil { // whatever the umask
		file.Close()
		return err
	}
	return file.Close()
}

// restoreLinks makes the links that npm packages cannot hold. Without them the
// server does not find its libraries.
func restoreLinks(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "native", "pg-symlinks.json"))
	if err != nil {
		return err
	}
	var links []struct {
		Source string `json:"source"` // the file that is there
		Target string `json:"target"` // the link to make
	}
	if err := json.Unmarshal(text, &links); err != nil {
		return err
	}
	for _, link := range links {
		if !filepath.IsLocal(link.Source) || !filepath.IsLocal(link.Target) {
			return fmt.Errorf("a link leads outside of the package: %q to %q", link.Target, link.Source)
		}
		// Relative, so that the folder can be renamed.
		source, err := filepath.Rel(filepath.Dir(link.Target), link.Source)
		if err != nil {
			return err
		}
		target := filepath.Join(dir, link.Target)
		if err := mkdirShared(filepath.Dir(target)); err != nil {
			return err
		}
		if err := os.Symlink(source, target); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
	}
	return nil
}
