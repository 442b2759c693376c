package main

import (
	"os"
	"strings"
	"time"
)

// stopWithGoRun calls stop when the "go run" that started us is gone. It
// passes an interrupt on, but a SIGTERM ends it alone, and we would stay.
func stopWithGoRun(stop func()) {
	exe, err := os.Executable()
	if err != nil || !strings.Contains(exe, "go-build") {
		return
	}
	parent := os.Getppid()
	go func() {
		for range time.Tick(250 * time.Millisecond) {
			if os.Getppid() != parent {
				stop()
				return
			}
		}
	}()
}
