package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/google/uuid"
)

// Within the folder: the key that signs addresses, and a file per object.
const (
	keyFile    = "signing-key"
	bytesDir   = "objects"
	keyLength  = 32
	copyBuffer = 64 << 10
)

// errTooLarge says that a body went past its limit.
var errTooLarge = errors.New("the body is too large")

// files keeps bytes in a folder. Their names are random ids; whatever is no id
// never reaches the file system, and the root lets nothing out of the folder.
type files struct {
	root      *os.Root
	temporary string
}

func openFiles(dir string) (*files, error) {
	f := &files{}
	if dir == "" {
		made, err := os.MkdirTemp("", "storage-")
		if err != nil {
			return nil, fmt.Errorf("make a temporary folder: %w", err)
		}
		f.temporary, dir = made, made
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for objects: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder for objects: %w", err)
	}
	f.root = root
	if err := root.Mkdir(bytesDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		_ = f.close()
		return nil, fmt.Errorf("make the folder for objects: %w", err)
	}
	return f, nil
}

func (f *files) close() error {
	err := f.root.Close()
	if f.temporary != "" {
		err = errors.Join(err, os.RemoveAll(f.temporary))
	}
	return err
}

// key returns the secret kept in the folder, made when there is none, so that
// signed addresses outlive a restart.
func (f *files) key(random io.Reader) ([]byte, error) {
	key, err := f.root.ReadFile(keyFile)
	if err == nil && len(key) == keyLength {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the signing key: %w", err)
	}
	key = make([]byte, keyLength)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, fmt.Errorf("make a signing key: %w", err)
	}
	if err := f.root.WriteFile(keyFile, key, 0o600); err != nil {
		return nil, fmt.Errorf("keep the signing key: %w", err)
	}
	return key, nil
}

// at returns the path of a version's bytes within the root.
func (f *files) at(version string) (string, error) {
	id, err := uuid.Parse(version)
	// Others write rows too; only the plain form of an id is a name of ours.
	if err != nil || id.String() != version {
		return "", fmt.Errorf("version %q is not an id: %w", version, fs.ErrNotExist)
	}
	return path.Join(bytesDir, version), nil
}

// write keeps at most limit bytes of body under version and returns how many
// there were. It returns errTooLarge, and keeps nothing, when there are more.
func (f *files) write(ctx context.Context, version string, body io.Reader, limit int64, sum io.Writer) (int64, error) {
	name, err := f.at(version)
	if err != nil {
		return 0, err
	}
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, fmt.Errorf("keep an object: %w", err)
	}
	size, err := io.CopyBuffer(io.MultiWriter(file, sum), io.LimitReader(body, limit+1), make([]byte, copyBuffer))
	if err == nil && size > limit {
		err = errTooLarge
	}
	if err == nil {
		err = ctx.Err()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = f.root.Remove(name)
		return 0, fmt.Errorf("keep an object: %w", err)
	}
	return size, nil
}

// open returns fs.ErrNotExist when there are no bytes of that version.
func (f *files) open(version string) (*os.File, error) {
	name, err := f.at(version)
	if err != nil {
		return nil, err
	}
	return f.root.Open(name)
}

// remove forgets versions. What cannot be removed goes with the next sweep.
func (f *files) remove(versions ...string) {
	for _, version := range versions {
		if name, err := f.at(version); err == nil {
			_ = f.root.Remove(name)
		}
	}
}

// keepOnly removes the bytes of every version that is not in kept.
func (f *files) keepOnly(kept map[string]bool) error {
	entries, err := fs.ReadDir(f.root.FS(), bytesDir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !kept[entry.Name()] {
			f.remove(entry.Name())
		}
	}
	return nil
}
