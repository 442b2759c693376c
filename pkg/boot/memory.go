package boot

import (
	"math"
	"runtime/debug"
	"strconv"
	"strings"
)

// LimitMemory tells the garbage collector how much memory the process has, so
// that it collects more often before the platform ends the process. The platform
// says it in AWS_LAMBDA_FUNCTION_MEMORY_SIZE (in MiB) or by the limit of the
// control group; files are read with read, such as os.ReadFile. A fifth is left to
// what the collector does not count. It returns the limit in bytes; 0 where
// GOMEMLIMIT is set or it is not known how much there is, and nothing is changed.
func LimitMemory(env Lookup, read func(string) ([]byte, error)) int64 {
	if _, set := env("GOMEMLIMIT"); set {
		return 0
	}
	size := memorySize(env, read)
	if size <= 0 {
		return 0
	}
	limit := size / 5 * 4
	debug.SetMemoryLimit(limit)
	return limit
}

// memorySize returns the memory of the process in bytes; 0 when it is not known.
func memorySize(env Lookup, read func(string) ([]byte, error)) int64 {
	if text, ok := env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE"); ok {
		if size, err := strconv.ParseInt(text, 10, 32); err == nil && size > 0 {
			return size << 20
		}
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := read(file)
		if err != nil {
			continue
		}
		// "max", or a number beyond any memory, is no limit.
		if size, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && size > 0 &&
			size < math.MaxInt64>>8 {
			return size
		}
	}
	return 0
}
