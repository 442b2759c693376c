package intent

// table gives features, by their hashes, consecutive places. It is an open hash
// table: small, quick to fill, and copied by copying memory.
type table struct {
	keys   []uint32 // 0 is free
	places []int32
	n      int
}

func newTable(room int) *table {
	size := 16
	for size < room*2 {
		size *= 2
	}
	return &table{keys: make([]uint32, size), places: make([]int32, size)}
}

// find returns the place of a feature; -1 for an unknown one.
func (t *table) find(k uint32) int32 {
	mask := uint32(len(t.keys) - 1)
	for i := (k * 0x9E3779B1) & mask; ; i = (i + 1) & mask {
		switch t.keys[i] {
		case k:
			return t.places[i]
		case 0:
			return -1
		}
	}
}

// add returns the place of a feature, which it gives it where it has none.
func (t *table) add(k uint32) int32 {
	if 2*(t.n+1) > len(t.keys) {
		t.grow()
	}
	mask := uint32(len(t.keys) - 1)
	for i := (k * 0x9E3779B1) & mask; ; i = (i + 1) & mask {
		switch t.keys[i] {
		case k:
			return t.places[i]
		case 0:
			t.keys[i], t.places[i] = k, int32(t.n)
			t.n++
			return int32(t.n - 1)
		}
	}
}

func (t *table) grow() {
	old := *t
	*t = *newTable(len(old.keys))
	t.n = old.n
	mask := uint32(len(t.keys) - 1)
	for j, k := range old.keys {
		if k == 0 {
			continue
		}
		i := (k * 0x9E3779B1) & mask
		for t.keys[i] != 0 {
			i = (i + 1) & mask
		}
		t.keys[i], t.places[i] = k, old.places[j]
	}
}

func (t *table) clone() *table {
	return &table{keys: append([]uint32(nil), t.keys...), places: append([]int32(nil), t.places...), n: t.n}
}
