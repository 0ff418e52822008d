// The subcategories of CATEGORIZED (Listing 4): the thresholds of levels, and the alternatives by
// which resources are split. Both the Aggregator and the Service take them from here.

package information

// level is how much of something is used, by the thresholds of Listing 4.
type level uint8

const (
	unsplit level = iota // not a level: the subcategory does not depend on this attribute
	low                  // at most 0.33
	medium               // at most 0.66
	high
)

// levelOf returns the level of a share, from a hundred times what is used and the size. Whole
// numbers are compared exactly. The level is hard to predict: its ifs compile to no branch.
func levelOf(hundredUsed, size float64) level {
	if size <= 0 {
		return low
	}
	l := uint32(low)
	if hundredUsed > 33*size {
		l++
	}
	if hundredUsed > 66*size {
		l++
	}
	return level(l)
}

// levels are the levels of a computer's CPU load, used memory and used disk.
type levels [Categories]level

// Split is an alternative of how resources with the same value are split into subcategories, which
// are numbered from 0.
type Split uint8

// The alternatives that Listing 4 allows, and SIMPLE.
const (
	Own Split = iota // by how much of the resource itself is used
	// Each splits three times: by the CPU load, the used memory and the used disk of its computer
	Each
	// Paired is as Each, but relationships join only resources split by the same one of the three
	Paired
	Joint // by these three together
	Whole // not at all: SIMPLE
)

// subcategories returns how many subcategories a value has.
func (s Split) subcategories() int {
	switch s {
	case Whole:
		return 1
	case Own:
		return 3
	case Each, Paired:
		return 9
	}
	return 27
}

// subcategoriesOf returns the subcategories that the resources of a computer with these levels
// belong to, by category a set with a bit for each. Those of Each and Paired are by CPU load (bits
// 0 to 2), used memory (3 to 5) and used disk (6 to 8). Whole does not look at the levels.
func (s Split) subcategoriesOf(l *levels) [Categories]uint32 {
	if s == Whole {
		return [Categories]uint32{1, 1, 1}
	}
	cpu, memory, disk := (l[CS]-low)&3, (l[OS]-low)&3, (l[FS]-low)&3 // & 3 spares checks of shifts
	set := uint32(1)<<cpu | 8<<memory | 64<<disk
	switch s {
	case Own:
		return [Categories]uint32{1 << cpu, 1 << memory, 1 << disk}
	case Joint:
		set = 1 << ((9*cpu + 3*memory + disk) & 31)
	}
	return [Categories]uint32{set, set, set}
}

// decode returns the levels of a subcategory by its number; see subcategoriesOf.
func (s Split) decode(c Category, subcategory int) (l levels) {
	code := level(subcategory)
	switch s {
	case Own:
		l[c] = low + code
	case Each, Paired:
		l[code/3] = low + code%3
	case Joint:
		l[CS], l[OS], l[FS] = low+code/9, low+code/3%3, low+code%3
	}
	return l
}
