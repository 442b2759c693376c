// Command ends is a server that cannot start.
package main

import "os"

func main() { os.Exit(4) }
