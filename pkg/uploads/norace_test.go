//go:build !race

package uploads_test

const underRace = false
