// Command transcribe is the function that turns recordings into text.
package main

import (
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/listen"
)

func main() { boot.Run("transcribe", boot.Options{Streaming: true}, listen.New) }
