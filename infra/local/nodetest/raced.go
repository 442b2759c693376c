//go:build race

package nodetest

const raced = true
