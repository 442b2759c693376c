package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// labelled is a sentence and the intent that it expresses; "" for none. Sentences that
// express none may be of several groups.
type labelled struct{ text, label, group string }

// dataset is sentences to measure with.
type dataset struct {
	name    string
	inside  []labelled
	outside []labelled
}

func (d dataset) intents() int {
	names := map[string]bool{}
	for _, s := range d.inside {
		names[s.label] = true
	}
	return len(names)
}

// load reads the data sets that the folder has.
func load(folder string) ([]dataset, error) {
	var out []dataset
	for _, read := range []func(string) (dataset, error){clinc, hinglish} {
		d, err := read(folder)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has neither clinc150_train_val.json nor hinglish_top_train.tsv", folder)
	}
	return out, nil
}

func clinc(folder string) (dataset, error) {
	d := dataset{name: "CLINC150"}
	raw, err := os.ReadFile(filepath.Join(folder, "clinc150_train_val.json"))
	if err != nil {
		return d, err
	}
	var parts map[string][][2]string
	if err := json.Unmarshal(raw, &parts); err != nil {
		return d, fmt.Errorf("clinc150_train_val.json: %w", err)
	}
	for _, part := range []string{"train", "val"} {
		for _, s := range parts[part] {
			d.inside = append(d.inside, labelled{text: s[0], label: s[1]})
		}
		for _, s := range parts["oos_"+part] {
			d.outside = append(d.outside, labelled{text: s[0]})
		}
	}
	return d, nil
}

// fewest is how many sentences of an intent are needed to learn it; the sentences
// of smaller ones, and of those that are called unsupported, are the others.
const fewest = 20

func hinglish(folder string) (dataset, error) {
	d := dataset{name: "Hinglish-TOP"}
	f, err := os.Open(filepath.Join(folder, "hinglish_top_train.tsv"))
	if err != nil {
		return d, err
	}
	defer f.Close()
	var all []labelled
	count := map[string]int{}
	lines := bufio.NewScanner(f)
	for n := 0; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if n == 0 || len(fields) < 4 {
			continue
		}
		label, _, _ := strings.Cut(strings.TrimPrefix(fields[3], "[IN:"), " ")
		all = append(all, labelled{text: fields[1], label: label})
		count[label]++
	}
	for _, s := range all {
		switch {
		case strings.HasPrefix(s.label, "UNSUPPORTED"):
			d.outside = append(d.outside, labelled{text: s.text, group: "unsupported"})
		case count[s.label] < fewest:
			d.outside = append(d.outside, labelled{text: s.text, group: "rare intents"})
		default:
			d.inside = append(d.inside, s)
		}
	}
	return d, lines.Err()
}
