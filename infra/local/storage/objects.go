package storage

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// object is a row of storage.objects in the shape in which clients read it.
type object struct {
	ID             uuid.UUID      `json:"id"`
	BucketID       string         `json:"bucket_id"`
	Name           string         `json:"name"`
	Owner          *uuid.UUID     `json:"owner"`
	OwnerID        *string        `json:"owner_id"`
	Version        string         `json:"version"`
	Metadata       *metadata      `json:"metadata"`
	UserMetadata   map[string]any `json:"user_metadata"`
	CreatedAt      time.Time      `json:"created_at"`
	UpdatedAt      time.Time      `json:"updated_at"`
	LastAccessedAt time.Time      `json:"last_accessed_at"`
}

// metadata is what the server knows about an object's bytes.
type metadata struct {
	ETag           string    `json:"eTag"`
	Size           int64     `json:"size"`
	MimeType       string    `json:"mimetype"`
	CacheControl   string    `json:"cacheControl"`
	LastModified   time.Time `json:"lastModified"`
	ContentLength  int64     `json:"contentLength"`
	HTTPStatusCode int       `json:"httpStatusCode"`
}

const objectColumns = `id, bucket_id, name, owner, owner_id, coalesce(version, ''), metadata, user_metadata,
	created_at, updated_at, last_accessed_at`

// findObject returns an object that the transaction's caller may see.
func findObject(ctx context.Context, db *transaction, k key) (object, error) {
	rows, err := db.Query(ctx, `select `+objectColumns+` from storage.objects where bucket_id = $1 and name = $2`,
		k.bucket, k.name)
	if err != nil {
		return object{}, err
	}
	o, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[object])
	if errors.Is(err, pgx.ErrNoRows) {
		return object{}, noObject()
	}
	return o, err
}

// see returns an object as by sees it.
func (s *Server) see(ctx context.Context, by caller, k key) (o object, err error) {
	err = s.transact(ctx, by, func(db *transaction) (err error) {
		o, err = findObject(ctx, db, k)
		return err
	})
	return o, err
}

// put writes the row of an object, and returns its id and the version that it
// replaced, if any. Only the caller's own policies decide: an insert needs no
// right to read, and an upsert needs the rights to insert, read and update.
func (s *Server) put(ctx context.Context, db *transaction, o object, upsert bool) (id uuid.UUID, replaced string,
	err error) {
	k := key{o.BucketID, o.Name}
	if err := db.lock(ctx, k); err != nil {
		return uuid.Nil, "", err
	}
	err = db.unrestricted(ctx, func() error {
		err := db.QueryRow(ctx, `select id, coalesce(version, '') from storage.objects
			where bucket_id = $1 and name = $2 for update`, k.bucket, k.name).Scan(&id, &replaced)
		if errors.Is(err, pgx.ErrNoRows) {
			id, err = s.newID()
		}
		return err
	})
	if err != nil {
		return uuid.Nil, "", err
	}
	insert := `insert into storage.objects (id, bucket_id, name, owner, owner_id, version, metadata, user_metadata,
		created_at, updated_at, last_accessed_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $9)`
	if upsert {
		insert += ` on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
			version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
			updated_at = excluded.updated_at, last_accessed_at = excluded.last_accessed_at`
	}
	_, err = db.Exec(ctx, insert, id, o.BucketID, o.Name, o.Owner, o.OwnerID, o.Version, o.Metadata, o.UserMetadata,
		s.now())
	return id, replaced, err
}

// mayPut asks whether put would succeed, and leaves no trace.
func (s *Server) mayPut(ctx context.Context, by caller, o object, upsert bool) error {
	return s.transact(ctx, by, func(db *transaction) error {
		if _, _, err := s.put(ctx, db, o, upsert); err != nil {
			return err
		}
		return errUndo
	})
}

// deleteObjects returns what it deleted: what the caller may see and delete.
func deleteObjects(ctx context.Context, db *transaction, where string, args ...any) ([]object, error) {
	rows, err := db.Query(ctx, `delete from storage.objects where `+where+` returning `+objectColumns, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[object])
}

func versions(objects []object) []string {
	out := make([]string, len(objects))
	for i, o := range objects {
		out[i] = o.Version
	}
	return out
}

func (s *Server) deleteOne(w http.ResponseWriter, r *http.Request, k key) error {
	if err := k.check(); err != nil {
		return err
	}
	gone, err := s.forget(r, k.bucket, []string{k.name})
	if err != nil {
		return err
	}
	if len(gone) == 0 {
		return noObject()
	}
	return reply(w, map[string]string{"message": "Successfully deleted"})
}

// maxDeletes is how many names one request may hold.
const maxDeletes = 1000

func (s *Server) deleteMany(w http.ResponseWriter, r *http.Request, bucket string) error {
	var in struct {
		Prefixes []string `json:"prefixes"`
	}
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if len(in.Prefixes) == 0 || len(in.Prefixes) > maxDeletes {
		return refuse(http.StatusBadRequest, "Error", "body/prefixes must hold between 1 and 1000 items")
	}
	gone, err := s.forget(r, bucket, in.Prefixes)
	if err != nil {
		return err
	}
	if gone == nil {
		gone = []object{}
	}
	return reply(w, gone)
}

// forget deletes rows, then their bytes.
func (s *Server) forget(r *http.Request, bucket string, names []string) (gone []object, err error) {
	by, err := s.callerOf(r)
	if err != nil {
		return nil, err
	}
	err = s.transact(r.Context(), by, func(db *transaction) (err error) {
		gone, err = deleteObjects(r.Context(), db, `bucket_id = $1 and name = any($2)`, bucket, names)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.files.remove(versions(gone)...)
	return gone, nil
}
