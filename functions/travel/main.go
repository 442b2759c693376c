// Command travel is the function that keeps what a person needs to travel: the people
// who go, what they like, and their trips. It also takes what Duffel tells of bookings.
package main

import (
	"github.com/bellhop-ai/bellhop/pkg/boot"
	"github.com/bellhop-ai/bellhop/pkg/boot/travel"
)

func main() { boot.Run("travel", boot.Options{}, travel.NewFunction) }
