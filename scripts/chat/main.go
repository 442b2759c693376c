// Command chat talks with an assistant in a terminal.
//
//	go run ./scripts/chat                       with the system that scripts/dev runs, as its manager
//	go run ./scripts/chat -user viewer -file trip.json
//	go run ./scripts/chat -q "Which cabins do we have?"
//	echo "Who arrives today?" | go run ./scripts/chat
//	BELLHOP_TOKEN=… go run ./scripts/chat -url https://chat.example.com
//
// The conversation is kept in memory, or in the file that -file names, with its
// seals. An act that changes something is shown first and done when you say so.
// Type /help for what else there is. Ctrl-C stops an answer, not the program.
//
// With -q, and where the questions come from a pipe, only answers are printed.
// The exit status is 0 when all was answered, 1 when something failed, 2 for
// flags that cannot be meant, 3 when the last answer is a question for consent.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/google/uuid"
)

func main() {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	os.Exit(run(context.Background(), os.Args[1:], console{
		in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.Getenv, interrupts: interrupts, newID: uuid.NewString,
		now:  time.Now,
		asks: terminal(os.Stdin), shows: terminal(os.Stdout), width: func() int { return columns(os.Stdout) },
	}))
}

// console is where the program runs: what it reads, writes and hears.
type console struct {
	in         io.Reader
	out, err   io.Writer
	env        func(string) string
	interrupts <-chan os.Signal
	newID      func() string
	now        func() time.Time
	asks       bool // questions are typed by a person
	shows      bool // answers go to a screen
	width      func() int
}

// options are the flags.
type options struct {
	url, assistant, user, file, question, entity string
	login                                        login
	steps                                        bool
}

// The exit statuses.
const (
	answered = 0
	failed   = 1
	misused  = 2
	open     = 3 // a question for consent
)

func run(ctx context.Context, args []string, d console) int {
	o, err := parse(args, d)
	if errors.Is(err, flag.ErrHelp) {
		return answered
	}
	if err != nil {
		return misused
	}
	s := newScreen(d, o)
	status, err := talkWith(ctx, o, d, s)
	if err != nil {
		s.trouble(err.Error())
		return failed
	}
	return status
}

func parse(args []string, d console) (options, error) {
	var o options
	flags := flag.NewFlagSet("chat", flag.ContinueOnError)
	flags.SetOutput(d.err)
	flags.StringVar(&o.url, "url", cmp.Or(d.env("BELLHOP_URL"), "http://127.0.0.1:8787"),
		"address of the server, or BELLHOP_URL")
	flags.StringVar(&o.assistant, "assistant", "hospitality", "who should answer")
	flags.StringVar(&o.user, "user", "manager", "a demo user of scripts/dev: an address, a name or a role")
	flags.StringVar(&o.entity, "entity", "", "the property to work for; your first one when left out")
	flags.StringVar(&o.file, "file", "", "keep the conversation in this file, and go on with it")
	flags.StringVar(&o.question, "q", "", "ask this, print the answer, and end")
	flags.BoolVar(&o.steps, "steps", false, "print the steps as well where only answers are")
	flags.StringVar(&o.login.project, "supabase", d.env("SUPABASE_URL"),
		"address of the Supabase project to sign in at, or SUPABASE_URL")
	flags.StringVar(&o.login.key, "key", d.env("SUPABASE_PUBLISHABLE_KEY"),
		"its publishable key, or SUPABASE_PUBLISHABLE_KEY")
	flags.StringVar(&o.login.email, "email", d.env("BELLHOP_EMAIL"),
		"address to sign in with, or BELLHOP_EMAIL; the password is in BELLHOP_PASSWORD")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		err := fmt.Errorf("what is %q? A question stands after -q, in quotation marks", flags.Arg(0))
		fmt.Fprintln(d.err, "chat:", err)
		return o, err
	}
	o.url = strings.TrimRight(o.url, "/")
	// A secret in a flag would be seen in the list of processes.
	o.login.password, o.login.token = d.env("BELLHOP_PASSWORD"), d.env("BELLHOP_TOKEN")
	return o, nil
}

func talkWith(ctx context.Context, o options, d console, s *screen) (int, error) {
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment,
		ResponseHeaderTimeout: 5 * time.Minute}}
	who, err := signIn(ctx, client, o, d.now)
	if err != nil {
		return failed, err
	}
	t, err := openThread(o.file, thread{Server: o.url, Assistant: o.assistant, User: who.id}, d.newID)
	if err != nil {
		return failed, err
	}
	c := &conversation{
		line: wire{client: client, url: o.url, assistant: o.assistant, who: who}, thread: t, screen: s, console: d,
		entity: o.entity,
		quiet:  o.question != "" || !d.asks,
	}
	if o.question != "" {
		return c.one(ctx, o.question)
	}
	return c.loop(ctx)
}
