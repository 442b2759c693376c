//go:build !race

package duffel_test

const underRace = false
