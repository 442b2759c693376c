// Command mcp writes down and compares what remote MCP servers offer.
//
//	go run ./scripts/mcp manifest [-name NAME] [-earlier FILE] URL > FILE
//	go run ./scripts/mcp check -manifest FILE URL
//
// manifest prints a manifest of the server's tools, in which each is off until
// people have reviewed it: what it does to the world is decided there, not by
// the server. With -earlier, decisions are kept for tools that are declared as
// they were. check names the tools that differ from a manifest and ends with
// status 1 when there are some.
//
// MCP_TOKEN is sent as the bearer token where it is set. Servers are reached over
// https, or on this machine.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/pkg/egress"
	"github.com/bellhop-ai/bellhop/pkg/fault"
	"github.com/bellhop-ai/bellhop/pkg/identity"
	"github.com/bellhop-ai/bellhop/pkg/mcptools"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mcp:", fault.Trace(err))
		stop()
		os.Exit(1)
	}
}

var (
	errUsage   = errors.New("say manifest or check, and the address of a server")
	errDiffers = errors.New("the server's tools differ from the manifest")
	otherSigns = regexp.MustCompile(`[^a-z0-9_-]+`)
)

func run(ctx context.Context, args []string, env func(string) string, out io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	name := flags.String("name", "", "what the server is called; the default is made of its host")
	earlier := flags.String("earlier", "", "a manifest whose decisions are kept")
	manifest := flags.String("manifest", "", "the manifest to compare with")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errUsage
	}
	s := mcptools.Server{Name: *name, URL: flags.Arg(0), Secret: identity.Secret(env("MCP_TOKEN"))}
	if s.Name == "" {
		u, err := url.Parse(s.URL)
		if err != nil {
			return err
		}
		s.Name = "server-" + strings.Trim(otherSigns.ReplaceAllString(u.Hostname(), "-"), "-")
	}
	var found []mcptools.Difference
	client, err := mcptools.New(mcptools.Config{Egress: egress.Config{Loopback: true}, Hosts: []string{"*"},
		Now:    time.Now,
		Report: func(_ context.Context, _ string, d mcptools.Difference) { found = append(found, d) }})
	if err != nil {
		return err
	}
	defer client.Close()
	switch args[0] {
	case "manifest":
		return write(ctx, client, s, *earlier, out)
	case "check":
		if s.Manifest, err = read(*manifest); err != nil {
			return err
		}
		if _, err := client.Tools(ctx, identity.Caller{}, s); err != nil {
			return err
		}
		for _, d := range found {
			fmt.Fprintf(out, "%-8s %s\n", d.What, d.Tool)
		}
		if len(found) > 0 {
			return errDiffers
		}
		return nil
	}
	return errUsage
}

// write prints a manifest of a server's tools.
func write(ctx context.Context, client *mcptools.Client, s mcptools.Server, earlier string, out io.Writer) error {
	var before *mcptools.Manifest
	if earlier != "" {
		var err error
		if before, err = read(earlier); err != nil {
			return err
		}
		s.Name = before.Server
	}
	m, err := client.Draft(ctx, identity.Caller{}, s, before)
	if err != nil {
		return err
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(m)
}

func read(file string) (*mcptools.Manifest, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return mcptools.ReadManifest(raw)
}
