package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report is everything that was measured. Times are in milliseconds, memory in
// bytes, unless the name says otherwise.
type report struct {
	At         time.Time   `json:"at"`
	Go         string      `json:"go"`
	Platform   string      `json:"platform"`
	Cores      int         `json:"cores"`
	LoadBefore string      `json:"loadBefore,omitempty"` // 1, 5, 15 minutes
	LoadAfter  string      `json:"loadAfter,omitempty"`
	Turns      []turnRow   `json:"turns,omitempty"`
	Starts     []startRow  `json:"starts,omitempty"`
	Seals      *sealFigure `json:"seals,omitempty"`
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

type startRow struct {
	Function  string `json:"function"`
	Binary    int64  `json:"binaryBytes"`
	Answer    string `json:"firstAnswer"` // which request came first
	Runs      int    `json:"runs"`
	Init      spread `json:"initMs"`   // process start to ready for an event
	FirstByte spread `json:"answerMs"` // process start to complete answer
	RSS       spread `json:"rssBytes"` // zero where it is not known
}

type sealFigure struct {
	Messages int     `json:"messages"`
	Bytes    int     `json:"bytes"` // of texts and seals together
	Open     spread  `json:"openMs"`
	Allocs   float64 `json:"allocs"`
}

func (r report) print(out io.Writer) error {
	fmt.Fprintf(out, "%s on %s, %d cores; load %s before, %s after\n", r.Go, r.Platform, r.Cores, cmp.Or(r.LoadBefore, "unknown"), cmp.Or(r.LoadAfter, "unknown"))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if len(r.Turns) > 0 {
		fmt.Fprintln(t, "\nturn\tat once\tside\tCPU ms\tmin\tmax\tsystem\tallocs\tKB\tp50 ms\tp99 ms\tturns/s\tratio\t")
		for _, row := range r.Turns {
			printSide(t, row, "ours", row.Ours, fmt.Sprintf("%.2f", row.Ratio))
			printSide(t, row, "plain", row.Plain, "1")
		}
	}
	if len(r.Starts) > 0 {
		fmt.Fprintln(t, "\nstart\tbinary MB\tfirst answer\truns\tready ms\tmin\tanswer ms\tmin\tmax\tRSS MB\t")
		for _, s := range r.Starts {
			fmt.Fprintf(t, "%s\t%.2f\t%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t\n", s.Function, float64(s.Binary)/1e6, s.Answer, s.Runs,
				s.Init.Median, s.Init.Min, s.FirstByte.Median, s.FirstByte.Min, s.FirstByte.Max, s.RSS.Median/1e6)
		}
	}
	if s := r.Seals; s != nil {
		fmt.Fprintln(t, "\nseals\tmessages\tKiB\topen ms\tmin\tmax\tallocs\t")
		fmt.Fprintf(t, "\t%d\t%.0f\t%.3f\t%.3f\t%.3f\t%.0f\t\n", s.Messages, float64(s.Bytes)/1024, s.Open.Median, s.Open.Min, s.Open.Max, s.Allocs)
	}
	return t.Flush()
}

func printSide(t io.Writer, row turnRow, name string, s side, ratio string) {
	fmt.Fprintf(t, "%s\t%d\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.0f\t%.0f\t%.2f\t%.2f\t%.0f\t%s\t\n", row.Name, row.AtOnce, name,
		s.CPU.Median, s.CPU.Min, s.CPU.Max, s.System, s.Allocs, s.Bytes/1024, s.P50, s.P99, s.Rate, ratio)
}

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

// loadAverage returns how busy the machine is, or "" where it does not say.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(string(data))[:3], " ")
}
