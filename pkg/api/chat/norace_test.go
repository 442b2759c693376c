//go:build !race

package chat_test

const underRace = false
