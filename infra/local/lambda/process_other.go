//go:build !linux

package lambda

import "syscall"

// processAttributes has nothing to ask for here: only Linux kills children
// whose parent was killed. Close ends them everywhere.
func processAttributes() *syscall.SysProcAttr { return nil }
