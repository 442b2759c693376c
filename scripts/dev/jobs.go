package main

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
)

// jobSecrets are what a scheduler and another server would hold. They are new at
// each start.
type jobSecrets struct{ cron, webhook string }

func newJobSecrets() jobSecrets {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it does not fail
	return jobSecrets{cron: rand.Text(), webhook: "whsec_" + base64.StdEncoding.EncodeToString(key)}
}

// schedule is the event of the template.
const schedule = `{"schedule": "summarize"}`

// summarize answers /dev/jobs/summarize: it runs the schedule once, since nothing
// here does so by the clock. Of functions that run as Lambda's it may also be
// sent another event, such as a queue's.
func (d *development) summarize(w http.ResponseWriter, r *http.Request) {
	event, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if d.lambda != nil {
		answer, err := d.lambda.summarize.Invoke(r.Context(), []byte(cmp.Or(string(event), schedule)))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		writeJSON(w, json.RawMessage(answer))
		return
	}
	if len(event) > 0 {
		http.Error(w, "Events are taken only by functions that run as Lambda's: start with -lambda.",
			http.StatusUnprocessableEntity)
		return
	}
	run, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "http://"+d.server.host+"/api/jobs/summarize",
		nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	run.Header.Set("Authorization", "Bearer "+d.jobs.cron)
	answer, err := http.DefaultClient.Do(run)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	w.Header().Set("Content-Type", answer.Header.Get("Content-Type"))
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, answer.Body) // the reader may have gone
}
