// Command uploads is the function that takes files in and looks at them.
package main

import (
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/shelf"
)

func main() { boot.Run("uploads", boot.Options{}, shelf.New) }
