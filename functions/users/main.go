// Command users is the function that manages who belongs to an organisation, and
// exchanges API keys for sessions.
package main

import (
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/people"
)

func main() { boot.Run("users", boot.Options{}, people.New) }
