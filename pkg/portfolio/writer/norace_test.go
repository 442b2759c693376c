//go:build !race

package writer_test

const underRace = false
