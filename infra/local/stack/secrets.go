package stack

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bellhop-ai/bellhop/infra/local/postgres"
)

// keyFile, secretsFile and storageDir lie in Config.Data.
const (
	keyFile     = "auth-key.pem"
	secretsFile = "secrets.json"
	storageDir  = "storage"
)

// Keys are API keys of the Supabase stand-in, sent as header apikey.
type Keys struct {
	// Publishable stands for role anon, Secret for role service_role.
	Publishable, Secret string
}

// secrets are kept with the data, so that pages, sessions and seals outlive a
// restart.
type secrets struct {
	Keys     Keys   `json:"keys"`
	SealKeys string `json:"sealKeys"`
}

func newSecrets() (secrets, error) {
	seal := make([]byte, 32)
	if _, err := rand.Read(seal); err != nil {
		return secrets{}, fmt.Errorf("make the secrets: %w", err)
	}
	return secrets{
		Keys:     Keys{Publishable: "sb_publishable_local_" + rand.Text(), Secret: "sb_secret_local_" + rand.Text()},
		SealKeys: "k1:" + base64.StdEncoding.EncodeToString(seal),
	}, nil
}

// loadSecrets returns the secrets that dir keeps, making them when there are
// none. Without a folder they are new.
func loadSecrets(dir string) (secrets, error) {
	if dir == "" {
		return newSecrets()
	}
	path := filepath.Join(dir, secretsFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return createSecrets(path)
	}
	if err != nil {
		return secrets{}, fmt.Errorf("read the secrets: %w", err)
	}
	var s secrets
	if err := json.Unmarshal(text, &s); err != nil || s.SealKeys == "" || s.Keys.Publishable == "" || s.Keys.Secret == "" {
		return secrets{}, fmt.Errorf("the secrets in %s are damaged; remove that file to get new ones", path)
	}
	return s, nil
}

func createSecrets(path string) (secrets, error) {
	s, err := newSecrets()
	if err != nil {
		return secrets{}, err
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return secrets{}, fmt.Errorf("encode the secrets: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return secrets{}, fmt.Errorf("keep the secrets: %w", err)
	}
	// Written aside and renamed: a crash leaves no half of a file behind.
	aside := path + ".new"
	if err := os.WriteFile(aside, append(text, '\n'), 0o600); err != nil {
		return secrets{}, fmt.Errorf("keep the secrets: %w", err)
	}
	if err := os.Rename(aside, path); err != nil {
		return secrets{}, fmt.Errorf("keep the secrets: %w", err)
	}
	return s, nil
}

// forget removes what dir keeps: the database, the stored objects, the keys and
// the secrets.
func forget(dir string) error {
	// The database first: it refuses while it is in use.
	if err := postgres.Remove(filepath.Join(dir, "postgres")); err != nil {
		return err
	}
	for _, name := range []string{keyFile, secretsFile, storageDir} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("remove the data: %w", err)
		}
	}
	return nil
}
