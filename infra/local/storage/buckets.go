package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// bucket is a row of storage.buckets in the shape in which clients read it.
type bucket struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Owner     *uuid.UUID `json:"owner"`
	Public    bool       `json:"public"`
	SizeLimit *int64     `json:"file_size_limit"`
	MimeTypes []string   `json:"allowed_mime_types"`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt time.Time  `json:"updated_at"`
	Type      string     `json:"type"`
}

const selectBucket = `select id, name, owner, coalesce(public, false), file_size_limit, allowed_mime_types,
	created_at, updated_at, 'STANDARD' from storage.buckets`

func findBucket(ctx context.Context, db *transaction, id string) (bucket, error) {
	rows, err := db.Query(ctx, selectBucket+` where id = $1`, id)
	if err != nil {
		return bucket{}, err
	}
	b, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[bucket])
	if errors.Is(err, pgx.ErrNoRows) {
		return bucket{}, noBucket()
	}
	return b, err
}

// anyBucket returns a bucket whether or not a policy shows it: its limits hold
// for everybody.
func (s *Server) anyBucket(ctx context.Context, id string) (b bucket, err error) {
	err = s.transact(ctx, service(), func(db *transaction) (err error) {
		b, err = findBucket(ctx, db, id)
		return err
	})
	return b, err
}

// bucketBody is what a client says about a bucket. An absent part stays as it
// is; null takes a limit away.
type bucketBody struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Public    *bool           `json:"public"`
	SizeLimit json.RawMessage `json:"file_size_limit"`
	MimeTypes json.RawMessage `json:"allowed_mime_types"`
}

func (s *Server) createBucket(w http.ResponseWriter, r *http.Request, by caller) error {
	var in bucketBody
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	if in.Name == "" {
		return refuse(http.StatusBadRequest, "Error", "body must have required property 'name'")
	}
	if in.ID == "" {
		in.ID = in.Name
	}
	for _, name := range []string{in.ID, in.Name} {
		if err := checkBucket(name); err != nil {
			return err
		}
	}
	size, types, err := s.limitsOf(in)
	if err != nil {
		return err
	}
	owner, ownerID := by.owner()
	err = s.transact(r.Context(), by, func(db *transaction) error {
		_, err := db.Exec(r.Context(), `insert into storage.buckets (id, name, owner, owner_id, public,
			file_size_limit,
			allowed_mime_types, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
			in.ID, in.Name, owner, ownerID, in.Public != nil && *in.Public, size, types, s.now())
		return err
	})
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"name": in.ID})
}

func (s *Server) updateBucket(w http.ResponseWriter, r *http.Request, by caller, id string) error {
	var in bucketBody
	if err := readJSON(w, r, &in); err != nil {
		return err
	}
	size, types, err := s.limitsOf(in)
	if err != nil {
		return err
	}
	err = s.transact(r.Context(), by, func(db *transaction) error {
		done, err := db.Exec(r.Context(), `update storage.buckets set public = coalesce($2, public),
			file_size_limit = case when $3 then $4 else file_size_limit end,
			allowed_mime_types = case when $5 then $6 else allowed_mime_types end, updated_at = $7 where id = $1`,
			id, in.Public, in.SizeLimit != nil, size, in.MimeTypes != nil, types, s.now())
		if err == nil && done.RowsAffected() == 0 {
			return noBucket()
		}
		return err
	})
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"message": "Successfully updated"})
}

func (s *Server) limitsOf(in bucketBody) (size *int64, types []string, err error) {
	if len(in.MimeTypes) > 0 {
		if err := json.Unmarshal(in.MimeTypes, &types); err != nil {
			return nil, nil, invalid("allowed_mime_types must be a list of texts")
		}
	}
	for _, t := range types {
		if main, sub, ok := strings.Cut(t, "/"); !ok || main == "" || sub == "" {
			return nil, nil, refuse(http.StatusUnsupportedMediaType, "invalid_mime_type", "mime type "+t+
				" is not supported")
		}
	}
	if len(in.SizeLimit) == 0 || string(in.SizeLimit) == "null" {
		return nil, types, nil
	}
	n, err := parseSize(in.SizeLimit)
	if err != nil {
		return nil, nil, err
	}
	if n > s.maxBytes {
		return nil, nil, refuse(http.StatusRequestEntityTooLarge, "Payload too large",
			"The object exceeded the maximum allowed size")
	}
	// Nought is how clients say that there is no limit of the bucket's own.
	if n == 0 {
		return nil, types, nil
	}
	return &n, types, nil
}

// parseSize reads bytes as a number, or as a text like "20MB" in units of a
// thousand.
func parseSize(raw json.RawMessage) (int64, error) {
	failed := invalid("Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B")
	var number json.Number
	if json.Unmarshal(raw, &number) == nil && raw[0] != '"' {
		n, err := number.Int64()
		if err != nil || n < 0 {
			return 0, failed
		}
		return n, nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return 0, failed
	}
	text = strings.ToUpper(text)
	for _, unit := range []struct {
		name string
		size float64
	}{{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1}} {
		digits, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(digits, 64)
		// Written so that what is no number fails too.
		if err != nil || strings.Trim(digits, "0123456789.") != "" || !(n*unit.size < 1e15) {
			return 0, failed
		}
		return int64(n * unit.size), nil
	}
	return 0, failed
}

func (s *Server) listBuckets(w http.ResponseWriter, r *http.Request, by caller) error {
	query := r.URL.Query()
	column, order := query.Get("sortColumn"), "asc"
	switch column {
	case "id", "name", "created_at", "updated_at":
	default:
		column = "name"
	}
	if query.Get("sortOrder") == "desc" {
		order = "desc"
	}
	limit, offset := 1000, 0
	for name, into := range map[string]*int{"limit": &limit, "offset": &offset} {
		if text := query.Get(name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n > 1e6 {
				return invalid("querystring/" + name + " must be a number")
			}
			*into = n
		}
	}
	var found []bucket
	err := s.transact(r.Context(), by, func(db *transaction) error {
		rows, err := db.Query(r.Context(), selectBucket+fmt.Sprintf(
			` where starts_with(lower(name), lower($1)) order by %s %s, id limit $2 offset $3`, column, order),
			query.Get("search"), limit, offset)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[bucket])
		return err
	})
	if err != nil {
		return err
	}
	if found == nil {
		found = []bucket{}
	}
	return reply(w, found)
}

func (s *Server) getBucket(w http.ResponseWriter, r *http.Request, by caller, id string) error {
	var found bucket
	err := s.transact(r.Context(), by, func(db *transaction) (err error) {
		found, err = findBucket(r.Context(), db, id)
		return err
	})
	if err != nil {
		return err
	}
	return reply(w, found)
}

// emptyBucket deletes all objects, or none when the caller may see one but not
// delete it.
func (s *Server) emptyBucket(w http.ResponseWriter, r *http.Request, by caller, id string) error {
	var gone []object
	err := s.transact(r.Context(), by, func(db *transaction) error {
		if _, err := findBucket(r.Context(), db, id); err != nil {
			return err
		}
		var err error
		if gone, err = deleteObjects(r.Context(), db, `bucket_id = $1`, id); err != nil {
			return err
		}
		var kept bool
		err = db.QueryRow(r.Context(), `select exists (select from storage.objects where bucket_id = $1)`,
			id).Scan(&kept)
		if err == nil && kept {
			return refuse(http.StatusConflict, "InvalidRequest",
				"Cannot delete all objects: you may have SELECT but not DELETE permissions")
		}
		return err
	})
	if err != nil {
		return err
	}
	s.files.remove(versions(gone)...)
	return reply(w, map[string]string{"message": "Successfully emptied"})
}

func (s *Server) deleteBucket(w http.ResponseWriter, r *http.Request, by caller, id string) error {
	err := s.transact(r.Context(), by, func(db *transaction) error {
		if _, err := findBucket(r.Context(), db, id); err != nil {
			return err
		}
		var full bool
		// Objects that the caller cannot see are in the way as well.
		err := db.unrestricted(r.Context(), func() error {
			return db.QueryRow(r.Context(), `select exists (select from storage.objects where bucket_id = $1)`,
				id).Scan(&full)
		})
		if err != nil {
			return err
		}
		if full {
			return refuse(http.StatusConflict, "InvalidRequest", "The bucket you tried to delete is not empty")
		}
		done, err := db.Exec(r.Context(), `delete from storage.buckets where id = $1`, id)
		if err == nil && done.RowsAffected() == 0 {
			return noBucket()
		}
		return err
	})
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"message": "Successfully deleted"})
}
