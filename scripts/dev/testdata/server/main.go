// Command server stands for functions/server in the tests of scripts/dev.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %s", r.Method, r.Host,
			r.URL)
	})
	http.HandleFunc("/env", func(w http.ResponseWriter, r *http.Request) {
		env := map[string]string{}
		for _, name := range []string{"SUPABASE_URL", "SUPABASE_ANON_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY",
			"MOCK_OPENAI", "BELLHOP_NOW", "BELLHOP_LOCAL", "SEAL_KEYS", "SUPABASE_SECRET_KEY", "ANONYMOUS_ORG",
			"ANONYMOUS_EMAIL", "ANONYMOUS_PASSWORD", "DUFFEL_API_KEY", "DUFFEL_URL", "DUFFEL_WEBHOOK_SECRET"} {
			if value, ok := os.LookupEnv(name); ok {
				env[name] = value
			}
		}
		_ = json.NewEncoder(w).Encode(env)
	})
	// /stream sends one event and ends when its reader goes away.
	http.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprint(w, "event: first\ndata: {}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	http.HandleFunc("/exit", func(http.ResponseWriter, *http.Request) { os.Exit(3) })
	go func() {
		if err := http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}()
	<-ctx.Done()
}
