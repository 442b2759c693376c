package storage

import (
	"io"
	"net/http"
)

// transfer is the body of a move and of a copy.
type transfer struct {
	BucketID          string `json:"bucketId"`
	SourceKey         string `json:"sourceKey"`
	DestinationKey    string `json:"destinationKey"`
	DestinationBucket string `json:"destinationBucket"`
}

func readTransfer(w http.ResponseWriter, r *http.Request) (from, to key, err error) {
	var in transfer
	if err := readJSON(w, r, &in); err != nil {
		return key{}, key{}, err
	}
	if in.DestinationBucket == "" {
		in.DestinationBucket = in.BucketID
	}
	from, to = key{in.BucketID, in.SourceKey}, key{in.DestinationBucket, in.DestinationKey}
	if err := from.check(); err != nil {
		return key{}, key{}, err
	}
	return from, to, to.check()
}

// move renames a row. Its bytes stay where they are.
func (s *Server) move(w http.ResponseWriter, r *http.Request) error {
	by, err := s.callerOf(r)
	if err != nil {
		return err
	}
	from, to, err := readTransfer(w, r)
	if err != nil {
		return err
	}
	if _, err := s.anyBucket(r.Context(), to.bucket); err != nil {
		return err
	}
	var moved object
	err = s.transact(r.Context(), by, func(db *transaction) error {
		if err := db.lock(r.Context(), from, to); err != nil {
			return err
		}
		if moved, err = findObject(r.Context(), db, from); err != nil {
			return err
		}
		done, err := db.Exec(r.Context(),
			`update storage.objects set bucket_id = $2, name = $3, updated_at = $4 where id = $1`,
			moved.ID, to.bucket, to.name, s.now())
		// Seen, but not the caller's to change.
		if err == nil && done.RowsAffected() == 0 {
			return noObject()
		}
		return err
	})
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"message": "Successfully moved", "Id": moved.ID.String(), "Key": to.String()})
}

// copy makes another object of the same bytes, owned by the caller.
func (s *Server) copy(w http.ResponseWriter, r *http.Request) error {
	by, err := s.callerOf(r)
	if err != nil {
		return err
	}
	from, to, err := readTransfer(w, r)
	if err != nil {
		return err
	}
	b, err := s.anyBucket(r.Context(), to.bucket)
	if err != nil {
		return err
	}
	source, file, err := s.open(r, by, from)
	if err != nil {
		return err
	}
	defer file.Close()
	version, err := s.newID()
	if err != nil {
		return err
	}
	made := object{
		BucketID: to.bucket, Name: to.name, Version: version.String(),
		Metadata: source.Metadata, UserMetadata: source.UserMetadata,
	}
	made.Owner, made.OwnerID = by.owner()
	upsert := r.Header.Get("X-Upsert") == "true"
	if err := s.mayPut(r.Context(), by, made, upsert); err != nil {
		return err
	}
	in := incoming{mimeType: source.Metadata.MimeType, cacheControl: source.Metadata.CacheControl}
	// The limits of the bucket hold for what comes from another one, too.
	if made.Metadata, err = s.keep(r.Context(), io.Reader(file), in, b, made.Version); err != nil {
		return err
	}
	id, err := s.commit(r.Context(), by, made, upsert)
	if err != nil {
		return err
	}
	return reply(w, map[string]string{"Id": id.String(), "Key": to.String()})
}
