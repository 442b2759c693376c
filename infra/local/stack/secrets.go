package stack

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"

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
	Keys      Keys   `json:"keys"`
	SealKeys  string `json:"sealKeys"`
	ProofKeys string `json:"proofKeys"`
}

func newSecrets() (secrets, error) {
	seal, proof := make([]byte, 32), make([]byte, 32)
	for _, key := range [][]byte{seal, proof} {
		if _, err := rand.Read(key); err != nil {
			return secrets{}, fmt.Errorf("make the secrets: %w", err)
		}
	}
	return secrets{
		Keys:     Keys{Publishable: "sb_publishable_local_" + rand.Text(), Secret: "sb_secret_local_" + rand.Text()},
		SealKeys: "k1:" + base64.StdEncoding.EncodeToString(seal), ProofKeys: "p1:" +
			base64.StdEncoding.EncodeToString(proof),
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
	if err := json.Unmarshal(text, &s); err != nil || s.SealKeys == "" || s.ProofKeys == "" ||
		s.Keys.Publishable == "" || s.Keys.Secret == "" {
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

// setProofKeys tells the database that is served the keys that functions get.
// Each stack has its own, whatever its database is a copy of. Migrations of a
// test need not know of them.
func (s *Stack) setProofKeys(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.ConnString("postgres"))
	if err != nil {
		return fmt.Errorf("set the proof keys: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var known bool
	err = conn.QueryRow(ctx, "select to_regprocedure('app.set_proof_keys(text)') is not null").Scan(&known)
	if err == nil && known {
		_, err = conn.Exec(ctx, "select app.set_proof_keys($1)", s.secrets.ProofKeys)
	}
	if err != nil {
		return fmt.Errorf("set the proof keys: %w", err)
	}
	return nil
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
