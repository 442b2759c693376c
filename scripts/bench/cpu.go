package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/bellhop-ai/bellhop/infra/local/stack"
)

// tick is the unit of the times in /proc/PID/stat: USER_HZ is 100 wherever Go runs on
// Linux.
const tick = 10 * time.Millisecond

// cpuOf is the CPU that the processes behind a request have used, user code and
// kernel together.
type cpuOf struct {
	server   time.Duration // functions/server
	database time.Duration // all processes of PostgreSQL
	// bench is this process: the REST stand-in, and the clients that measure.
	bench time.Duration
}

func (c cpuOf) minus(before cpuOf) cpuOf {
	return cpuOf{c.server - before.server, c.database - before.database, c.bench - before.bench}
}

func (c cpuOf) plus(other cpuOf) cpuOf {
	return cpuOf{c.server + other.server, c.database + other.database, c.bench + other.bench}
}

// postmaster returns the process of the database; 0 where /proc does not tell, or it
// is another host's.
func postmaster(ctx context.Context, s *stack.Stack) (int, error) {
	var dir string
	err := inDatabase(ctx, s, func(conn querier) error {
		return conn.QueryRow(ctx, "select current_setting('data_directory')").Scan(&dir)
	})
	if err != nil {
		return 0, fmt.Errorf("find the process of the database: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	if err != nil {
		return 0, nil //nolint:nilerr // Another host's, or not ours to read.
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		return 0, fmt.Errorf("find the process of the database: %w", err)
	}
	return pid, nil
}

// used returns what the server, the processes below postmaster and this process have
// used; zero for what /proc does not tell.
func used(server, postmaster int) (cpuOf, error) {
	user, system, err := processTimes()
	if err != nil {
		return cpuOf{}, err
	}
	out := cpuOf{server: processCPU(server), bench: user + system}
	if postmaster == 0 {
		return out, nil
	}
	process := "/proc/" + strconv.Itoa(postmaster)
	// Of the children that ended the postmaster has the times.
	if f := statOf(process + "/stat"); f != nil {
		out.database = ticks(f[11:15])
	}
	children, err := os.ReadFile(process + "/task/" + strconv.Itoa(postmaster) + "/children")
	if err != nil {
		return out, nil //nolint:nilerr // This kernel does not list them.
	}
	for child := range strings.FieldsSeq(string(children)) {
		if f := statOf("/proc/" + child + "/stat"); f != nil {
			out.database += ticks(f[11:13])
		}
	}
	return out, nil
}

// processCPU returns the CPU of one process, 0 where /proc does not tell.
func processCPU(pid int) time.Duration {
	f := statOf("/proc/" + strconv.Itoa(pid) + "/stat")
	if f == nil {
		return 0
	}
	return ticks(f[11:13])
}

// statOf returns the fields of a stat file that follow the name of the process, which
// may hold spaces: index 0 is field 3, the user, system and children's times are 11 to
// 14. It is nil for a process that is gone.
func statOf(name string) []string {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(f) < 15 {
		return nil
	}
	return f
}

func ticks(fields []string) time.Duration {
	var sum time.Duration
	for _, f := range fields {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0
		}
		sum += time.Duration(n) * tick
	}
	return sum
}
