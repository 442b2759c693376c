//go:build !race

package photo_test

const underRace = false
