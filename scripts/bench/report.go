package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report is everything that was measured. Times are in milliseconds, memory in
// bytes, unless the name says otherwise.
type report struct {
	Machine  environment  `json:"machine"`
	Turns    []turnRow    `json:"turns,omitempty"`
	Growth   []growthRow  `json:"growth,omitempty"`
	Streams  *streamRow   `json:"streams,omitempty"`
	Starts   []startRow   `json:"starts,omitempty"`
	Rates    []rateRow    `json:"rates,omitempty"`
	Contests []contestRow `json:"contests,omitempty"`
	Calls    []callRow    `json:"calls,omitempty"`
	Seals    *sealFigure  `json:"seals,omitempty"`
}

// spread is the median of several measurements with the least and the most.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// side is what one side of a comparison cost for each turn.
type side struct {
	CPU    spread  `json:"cpuMs"`
	System float64 `json:"systemMs"` // the part of CPU that the kernel took
	Allocs float64 `json:"allocs"`
	Bytes  float64 `json:"allocBytes"`
	P50    float64 `json:"wallP50Ms"`
	P99    float64 `json:"wallP99Ms"`
	// Rate is how many turns a second came out, everything on one machine.
	Rate float64 `json:"turnsPerSecond"`
}

type turnRow struct {
	Name       string  `json:"name"`
	AtOnce     int     `json:"atOnce"`
	Turns      int     `json:"turns"` // of each side, in all batches
	Ours       side    `json:"ours"`
	Plain      side    `json:"plain"`
	Ratio      float64 `json:"ratio"`      // CPU of ours to plain
	AllocRatio float64 `json:"allocRatio"` // allocations of ours to plain
}

type growthRow struct {
	By         string  `json:"by"` // messages or tools
	Size       int     `json:"size"`
	Ours       spread  `json:"oursCpuMs"`
	Plain      spread  `json:"plainCpuMs"`
	Bytes      float64 `json:"oursAllocBytes"`
	PlainBytes float64 `json:"plainAllocBytes"`
}

type streamRow struct {
	Streams   int     `json:"streams"`
	PerSecond float64 `json:"eventsPerSecond"` // of each stream
	Events    int64   `json:"events"`          // that arrived
	Cut       int64   `json:"cut"`             // streams that did not arrive whole and in order
	P50       float64 `json:"addedP50Ms"`      // from the model's hand to the reader's
	P99       float64 `json:"addedP99Ms"`
	Memory    float64 `json:"peakRssBytes"`
	PerStream float64 `json:"rssPerStreamBytes"`
	Cores     float64 `json:"cores"` // that our side kept busy
}

type startRow struct {
	Function  string `json:"function"`
	Binary    int64  `json:"binaryBytes"`
	Answer    string `json:"firstAnswer"` // which request came first
	Runs      int    `json:"runs"`
	Init      spread `json:"initMs"`   // process start to ready for an event
	FirstByte spread `json:"answerMs"` // process start to complete answer
	RSS       spread `json:"rssBytes"` // after it; zero where it is not known
	Failed    string `json:"failed,omitempty"`
}

type rateRow struct {
	Name   string  `json:"name"`
	AtOnce int     `json:"atOnce"`
	Count  int     `json:"count"`
	Rate   float64 `json:"perSecond"`
	Aim    float64 `json:"aim,omitempty"`
	P50    float64 `json:"wallP50Ms"`
	P99    float64 `json:"wallP99Ms"`
	Memory float64 `json:"rssBytes,omitempty"` // of the server after it
	// CPU of one, of the server, the database, and this process, which is the REST
	// stand-in and the clients. Zero where it was not measured.
	ServerCPU   float64 `json:"serverCpuMs,omitempty"`
	DatabaseCPU float64 `json:"databaseCpuMs,omitempty"`
	BenchCPU    float64 `json:"benchCpuMs,omitempty"`
}

// with adds what all of them together cost.
func (r rateRow) with(c cpuOf) rateRow {
	n := float64(max(r.Count, 1))
	r.ServerCPU, r.DatabaseCPU, r.BenchCPU = ms(c.server)/n, ms(c.database)/n, ms(c.bench)/n
	return r
}

type contestRow struct {
	rateRow
	Won       float64 `json:"wonPerSecond"`
	Deadlocks int     `json:"deadlocks"`
	Overlaps  int     `json:"overlaps"` // what two have got
	Breaches  int     `json:"breaches"` // of the database's invariants
}

type callRow struct {
	Assistant string `json:"assistant"`
	Said      string `json:"said"`
	Agent     string `json:"agent"`
	Path      string `json:"path"`
	Calls     int    `json:"modelCalls"` // one after another
	In        int    `json:"tokensIn"`
	Cached    int    `json:"tokensCached"` // of those in
	Out       int    `json:"tokensOut"`
}

type sealFigure struct {
	Messages int     `json:"messages"`
	Bytes    int     `json:"bytes"` // of texts and seals together
	Open     spread  `json:"openMs"`
	Allocs   float64 `json:"allocs"`
}

func (r report) print(out io.Writer) error {
	e := r.Machine
	fmt.Fprintf(out, "%s, %s, %d cores, %s, %s, commit %s\n", e.At.Format(time.DateTime), cmp.Or(e.CPU, e.Platform),
		e.Cores, e.Platform, e.Go, cmp.Or(e.Commit, "unknown"))
	fmt.Fprintf(out, "load of 1, 5 and 15 minutes before each part: %s\n", strings.Join(e.Load, ", "))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	r.printTurns(t)
	r.printService(t)
	r.printCalls(t)
	if s := r.Seals; s != nil {
		fmt.Fprintln(t, "\nseals\tmessages\tKiB\topen ms\tmin\tmax\tallocs\t")
		fmt.Fprintf(t, "aim: 1 ms\t%d\t%.0f\t%.3f\t%.3f\t%.3f\t%.0f\t\n", s.Messages, float64(s.Bytes)/1024,
			s.Open.Median, s.Open.Min, s.Open.Max, s.Allocs)
	}
	fmt.Fprintln(t, "\nmatching without a model: go test -run=^$ -bench=Large ./pkg/intent\t")
	return t.Flush()
}

func (r report) printTurns(t io.Writer) {
	if len(r.Turns) > 0 {
		fmt.Fprintln(t, "\nturn\tat once\tside\tCPU ms\tmin\tmax\tsystem\tallocs\tKB\tp50 ms\tp99 "+
			"ms\tturns/s\tratio\t")
		for _, row := range r.Turns {
			printSide(t, row, "ours", row.Ours, fmt.Sprintf("%.2f", row.Ratio))
			printSide(t, row, "plain", row.Plain, "1")
		}
	}
	if len(r.Growth) > 0 {
		fmt.Fprintln(t, "\ngrowth\tsize\tours CPU ms\tmin\tmax\tplain\tmin\tmax\tratio\tours KB\tplain KB\t")
		for _, g := range r.Growth {
			fmt.Fprintf(t, "%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\t%.0f\t%.0f\t\n", g.By, g.Size,
				g.Ours.Median, g.Ours.Min, g.Ours.Max,
				g.Plain.Median, g.Plain.Min, g.Plain.Max, g.Ours.Median/g.Plain.Median, g.Bytes/1024,
				g.PlainBytes/1024)
		}
	}
}

func printSide(t io.Writer, row turnRow, name string, s side, ratio string) {
	fmt.Fprintf(t, "%s\t%d\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.0f\t%.0f\t%.2f\t%.2f\t%.0f\t%s\t\n", row.Name, row.AtOnce,
		name,
		s.CPU.Median, s.CPU.Min, s.CPU.Max, s.System, s.Allocs, s.Bytes/1024, s.P50, s.P99, s.Rate, ratio)
}

func (r report) printService(t io.Writer) {
	if s := r.Streams; s != nil {
		fmt.Fprintln(t, "\nstreams\tevents/s each\tevents\tcut\tadded p50 ms\tp99 ms\taim\tpeak RSS MiB\taim\tKiB "+
			"each\tcores\t")
		fmt.Fprintf(t, "%d\t%.0f\t%d\t%d\t%.1f\t%.1f\t150\t%.0f\t256\t%.0f\t%.2f\t\n", s.Streams, s.PerSecond,
			s.Events, s.Cut, s.P50, s.P99, s.Memory/(1<<20), s.PerStream/1024, s.Cores)
	}
	if len(r.Starts) > 0 {
		fmt.Fprintln(t, "\nstart\tbinary MB\tfirst answer\truns\tready ms\tmin\tanswer ms\tmin\tmax\taim\tRSS "+
			"MB\taim\t")
		for _, s := range r.Starts {
			if s.Failed != "" {
				fmt.Fprintf(t, "%s\t%.2f\t%s\tfailed: %.80s\n", s.Function, float64(s.Binary)/1e6, s.Answer,
					strings.ReplaceAll(s.Failed, "\n", " "))
				continue
			}
			fmt.Fprintf(t, "%s\t%.2f\t%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t20\t%.1f\t30\t\n", s.Function,
				float64(s.Binary)/1e6, s.Answer, s.Runs,
				s.Init.Median, s.Init.Min, s.FirstByte.Median, s.FirstByte.Min, s.FirstByte.Max, s.RSS.Median/1e6)
		}
	}
	rates := slices.Clone(r.Rates)
	for _, c := range r.Contests {
		rates = append(rates, c.rateRow)
	}
	if len(rates) > 0 {
		fmt.Fprintln(t, "\na second\tat once\tcount\trate\taim\tp50 ms\tp99 ms\tCPU ms: server\tdatabase\t"+
			"REST and bench\t")
		for _, row := range rates {
			aim := "–"
			if row.Aim > 0 {
				aim = fmt.Sprintf("%.0f", row.Aim)
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%.0f\t%s\t%.1f\t%.1f\t%.2f\t%.2f\t%.2f\t\n", row.Name, row.AtOnce, row.Count,
				row.Rate, aim, row.P50, row.P99, row.ServerCPU, row.DatabaseCPU, row.BenchCPU)
		}
	}
	for _, b := range r.Contests {
		fmt.Fprintf(t, "\n%s: %.0f a second succeeded; %d overlaps, %d deadlocks, %d broken invariants\n",
			b.Name, b.Won, b.Overlaps, b.Deadlocks, b.Breaches)
	}
}

func (r report) printCalls(t io.Writer) {
	if len(r.Calls) == 0 {
		return
	}
	fmt.Fprintln(t, "\nassistant\tsaid\tagent\tpath\tmodel calls\ttokens in\tcached\tout\t")
	var calls, in, cached, out int
	for _, c := range r.Calls {
		fmt.Fprintf(t, "%s\t%.30s\t%s\t%s\t%d\t%d\t%.0f %%\t%d\t\n", c.Assistant, c.Said, c.Agent, c.Path, c.Calls,
			c.In, 100*share(c.Cached, c.In), c.Out)
		calls, in, cached, out = calls+c.Calls, in+c.In, cached+c.Cached, out+c.Out
	}
	fmt.Fprintf(t, "all\t%d turns\t\t\t%.1f a turn\t%d\t%.0f %%\t%d\t\n", len(r.Calls),
		float64(calls)/float64(len(r.Calls)), in, 100*share(cached, in), out)
}

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// spreadOf returns the median, the least and the most. It sorts values.
func spreadOf(values []float64) spread {
	slices.Sort(values)
	return spread{Median: quantile(values, 0.5), Min: values[0], Max: values[len(values)-1]}
}

// quantile returns the value below which the share q of the sorted values lies.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
