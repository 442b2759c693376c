// Command summarize is the function that sums conversations up: for people, for
// a schedule and its queue, and for other servers.
package main

import (
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/summarize"
)

func main() { boot.Run("summarize", boot.Options{}, summarize.NewFunction) }
