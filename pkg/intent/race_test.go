//go:build race

package intent_test

const underRace = true
