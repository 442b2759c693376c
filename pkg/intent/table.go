package intent

import "slices"

// table gives features, by their hashes, consecutive places. It is an open hash
// table: small, quick to fill, and copied by copying memory.
type table struct {
	slots []slot
	n     int
}

// slot is a feature with its place; a key of 0 is free. They stand together, so that
// finding one reads memory once.
type slot struct {
	key   uint32
	place int32
}

func newTable(room int) *table {
	size := 16
	for size < room*2 {
		size *= 2
	}
	return &table{slots: make([]slot, size)}
}

// find returns the place of a feature; -1 for an unknown one.
func (t *table) find(k uint32) int32 {
	mask := uint32(len(t.slots) - 1)
	for i := (k * 0x9E3779B1) & mask; ; i = (i + 1) & mask {
		switch s := t.slots[i]; s.key {
		case k:
			return s.place
		case 0:
			return -1
		}
	}
}

// add returns the place of a feature, which it gives it where it has none.
func (t *table) add(k uint32) int32 {
	if 2*(t.n+1) > len(t.slots) {
		t.grow()
	}
	mask := uint32(len(t.slots) - 1)
	for i := (k * 0x9E3779B1) & mask; ; i = (i + 1) & mask {
		switch t.slots[i].key {
		case k:
			return t.slots[i].place
		case 0:
			t.slots[i] = slot{k, int32(t.n)}
			t.n++
			return int32(t.n - 1)
		}
	}
}

func (t *table) grow() {
	old := *t
	*t = *newTable(len(old.slots))
	t.n = old.n
	mask := uint32(len(t.slots) - 1)
	for _, s := range old.slots {
		if s.key == 0 {
			continue
		}
		i := (s.key * 0x9E3779B1) & mask
		for t.slots[i].key != 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}

func (t *table) clone() *table { return &table{slots: slices.Clone(t.slots), n: t.n} }
