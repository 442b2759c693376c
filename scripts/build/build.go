package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// artifact is one built function. Sizes are in bytes; sum is the SHA-256 of
// the zip file in hex.
type artifact struct {
	name         string
	size, zipped int64
	sum          string
}

// chooseFunctions checks the named functions, or finds all that folder has.
func chooseFunctions(folder string, names []string) ([]string, error) {
	if len(names) == 0 {
		mains, err := filepath.Glob(filepath.Join(folder, "*", "main.go"))
		if err != nil {
			return nil, err
		}
		for _, main := range mains {
			names = append(names, filepath.Base(filepath.Dir(main)))
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("%s holds no function; run this in the root of the module", folder)
		}
	}
	for _, name := range names {
		if filepath.Base(name) != name {
			return nil, fmt.Errorf("%q is a path; give the name of a folder in %s", name, folder)
		}
		if _, err := os.Stat(filepath.Join(folder, name, "main.go")); err != nil {
			return nil, fmt.Errorf("there is no function %q in %s: %w", name, folder, err)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// buildAll builds the functions in one run of the go command, so that what
// they share is compiled once, and packs each one.
func buildAll(ctx context.Context, names []string, arch, dir string) (built []artifact, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	// On the same disk as dir, so that the results can be moved.
	scratch, err := os.MkdirTemp(dir, ".build-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()

	args := []string{"build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc,nodynamic", "-ldflags", "-s -w",
		"-o", scratch + string(filepath.Separator)}
	for _, name := range names {
		args = append(args, "./functions/"+name)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}

	for _, name := range names {
		b, err := pack(name, filepath.Join(scratch, name), dir)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
		built = append(built, b)
	}
	return built, nil
}

// pack moves an executable to <dir>/<name>/bootstrap and writes
// <dir>/<name>.zip.
func pack(name, executable, dir string) (artifact, error) {
	home := filepath.Join(dir, name)
	if err := os.MkdirAll(home, 0o755); err != nil {
		return artifact{}, err
	}
	bootstrap := filepath.Join(home, "bootstrap")
	if err := os.Rename(executable, bootstrap); err != nil {
		return artifact{}, err
	}
	content, err := os.ReadFile(bootstrap)
	if err != nil {
		return artifact{}, err
	}
	archive, sum, err := zipped(content)
	if err != nil {
		return artifact{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".zip"), archive, 0o644); err != nil {
		return artifact{}, err
	}
	return artifact{name: name, size: int64(len(content)), zipped: int64(len(archive)), sum: sum}, nil
}
