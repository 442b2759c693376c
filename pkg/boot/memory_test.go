package boot_test

import (
	"math"
	"os"
	"runtime/debug"
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/boot"
)

func TestTheCollectorKnowsTheMemoryOfTheProcess(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	const v2, v1 = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
	for name, test := range map[string]struct {
		env, files map[string]string
		want       int64
	}{
		"on Lambda": {env: map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512"},
			want: 512 << 20 / 5 * 4},
		"in a container":            {files: map[string]string{v2: "268435456\n"}, want: 268435456 / 5 * 4},
		"in an older container":     {files: map[string]string{v1: "268435456\n"}, want: 268435456 / 5 * 4},
		"in a container of no size": {files: map[string]string{v2: "max\n"}},
		"on an older host":          {files: map[string]string{v1: "9223372036854771712\n"}},
		"on a laptop":               {},
		"told by the operator": {
			env:   map[string]string{"GOMEMLIMIT": "1GiB", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512"},
			files: map[string]string{v2: "268435456"},
		},
		"told nonsense": {env: map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "much"}},
	} {
		t.Run(name, func(t *testing.T) {
			debug.SetMemoryLimit(math.MaxInt64)
			env := func(name string) (string, bool) { v, ok := test.env[name]; return v, ok }
			got := boot.LimitMemory(env, func(file string) ([]byte, error) {
				text, ok := test.files[file]
				if !ok {
					return nil, os.ErrNotExist
				}
				return []byte(text), nil
			})
			set := test.want
			if set == 0 {
				set = math.MaxInt64
			}
			if got != test.want || debug.SetMemoryLimit(-1) != set {
				t.Errorf("the limit is %d, and %d was set; want %d", got, debug.SetMemoryLimit(-1), test.want)
			}
		})
	}
}
