package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// sharedData is where root keeps data that the server's user could not reach
// in the folder asked for, such as one under root's home.
const sharedData = "/var/lib/bellhop/postgres"

// keptPlace returns the folder that really keeps the data of dir.
func keptPlace(dir string, as *account) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the data folder: %w", err)
	}
	if as.reaches(abs) {
		return abs, nil
	}
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(sharedData, hex.EncodeToString(sum[:6])), nil
}

// Remove deletes the data that Config.Dir keeps, so that the next start makes
// it anew. It refuses while a server uses it, and is content when there is
// none.
func Remove(dir string) error {
	as, err := serverAccount()
	if err != nil {
		return err
	}
	place, err := keptPlace(dir, as)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(place, markerName)); err != nil {
		return nil
	}
	kept, err := claim(place)
	if err != nil {
		return fmt.Errorf("the database in %s is in use by process %d; stop that one first", place,
			readMarker(place).PID)
	}
	defer kept.unlock()
	for _, name := range []string{"data", "data.new", "server.log", markerName} {
		if err := os.RemoveAll(filepath.Join(place, name)); err != nil {
			return fmt.Errorf("remove the database: %w", err)
		}
	}
	_ = os.Remove(place) // stays when it holds anything else
	return nil
}
