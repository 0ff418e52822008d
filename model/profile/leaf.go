// Leaves: the steps of the availability profile in blocks, and their changes. Add splits a full
// leaf and joins leaves of few steps.

package profile

import "slices"

// leaf is a range of steps: step i begins at times[i] and has free[i] plus the shift of the leaf,
// Profile.shifts, free processors. The last step ends where the next leaf begins.
type leaf struct {
	times []int64
	free  []int32
	// The arrays of times and free from their beginnings. Advance drops the past by reslicing.
	roomForTimes []int64
	roomForFree  []int32
	summary
	validity
}

// search returns the last index whose time is at most t, as times[0] must be.
func search(times []int64, t int64) int {
	low := 0
	for n := len(times); n > 1; {
		half := n / 2
		// Adds half where times[low+half] <= t, without a branch: it would be mispredicted.
		low += half &^ int((t-times[low+half])>>63)
		n -= half
	}
	return low
}

// locate returns the leaf and the step that contain a time from now on. Most searches are for now,
// at which the first step begins.
func (p *Profile) locate(t int64) (k, i int) {
	if t <= p.now {
		return 0, 0
	}
	if len(p.starts) > 1 && p.starts[1] <= t {
		k = search(p.starts, t)
	}
	return k, search(p.leaves[k].times, t)
}

// end returns where leaf k ends.
func (p *Profile) end(k int) int64 {
	if k+1 < len(p.starts) {
		return p.starts[k+1]
	}
	return Forever
}

func (l *leaf) insert(i int, t int64, free int32) {
	n := len(l.times)
	if n == cap(l.times) {
		l.settle()
	}
	l.times, l.free = l.times[:n+1], l.free[:n+1]
	copy(l.times[i+1:], l.times[i:n])
	copy(l.free[i+1:], l.free[i:n])
	l.times[i], l.free[i] = t, free
}

func (l *leaf) remove(i int) {
	n := len(l.times) - 1
	copy(l.times[i:], l.times[i+1:])
	copy(l.free[i:], l.free[i+1:])
	l.times, l.free = l.times[:n], l.free[:n]
}

// settle moves the steps to the beginning of their room.
func (l *leaf) settle() {
	l.times, l.free = append(l.roomForTimes[:0], l.times...), append(l.roomForFree[:0], l.free...)
}

// add changes the steps from index i on that begin before a time, and returns the index after them.
func (l *leaf) add(i int, to int64, delta int32) int {
	times := l.times[i:]
	free := l.free[i:][:len(times)]
	for j, t := range times {
		if t >= to {
			return i + j
		}
		free[j] += delta
	}
	return i + len(times)
}

// Add changes the number of free processors in [from, to) by delta; to may be Forever. With a
// negative delta the number may become negative, as where a machine loses processors that are
// booked.
func (p *Profile) Add(from, to int64, delta int32) {
	from = max(from, p.now)
	if from >= to || delta == 0 {
		return
	}
	k, i := p.locate(from)
	begins := p.leaves[k].times[i] == from // if so, the step may become equal to the previous one
	if !begins {
		i++
		k, i = p.insertStep(k, i, from, p.leaves[k].free[i-1])
	}
	first, step := k, i
	for {
		end := p.end(k)
		if i == 0 && end <= to {
			p.shifts[k] += delta
		} else {
			i = p.leaves[k].add(i, to, delta)
			p.leaves[k].changed(delta)
		}
		if end >= to {
			break
		}
		k, i = k+1, 0
	}
	p.changeGroups(from, to, delta, first, k)
	switch l := p.leaves[k]; {
	case to == p.end(k):
		if to < Forever {
			p.merge(k+1, 0)
		}
	case i < len(l.times) && l.times[i] == to:
		p.merge(k, i)
	default:
		p.insertStep(k, i, to, l.free[i-1]-delta)
	}
	if begins {
		// The first step is where it was, unless its leaf has been split or joined at `to`.
		if first >= len(p.leaves) || step >= len(p.leaves[first].times) || p.leaves[first].times[step] != from {
			first, step = p.locate(from)
		}
		p.merge(first, step)
	}
}

// insertStep inserts a step at index i > 0 of leaf k, which may be full, and returns its leaf and
// index.
func (p *Profile) insertStep(k, i int, t int64, free int32) (int, int) {
	if len(p.leaves[k].times) == p.sizes.leaf {
		p.splitLeaf(k)
		if half := len(p.leaves[k].times); i > half {
			k, i = k+1, i-half
		}
	}
	p.leaves[k].insert(i, t, free)
	return k, i
}

// merge joins a step with the previous one if they are equally free.
func (p *Profile) merge(k, i int) {
	l := p.leaves[k]
	switch {
	case i > 0 && l.free[i] == l.free[i-1]:
		l.remove(i)
		p.joinSmall(k)
	case i == 0 && k > 0:
		before := p.leaves[k-1]
		if before.free[len(before.free)-1]+p.shifts[k-1] != l.free[0]+p.shifts[k] {
			return
		}
		p.invalidate(k - 1)
		if len(l.times) == 1 {
			p.removeLeaf(k)
			return
		}
		l.remove(0)
		p.starts[k] = l.times[0]
		p.invalidate(k)
		p.joinSmall(k)
	}
}

// joinSmall joins a leaf of few steps with a neighbour that has room for them.
func (p *Profile) joinSmall(k int) {
	if len(p.leaves[k].times) >= p.sizes.leaf/8 {
		return
	}
	for _, left := range [2]int{k, k - 1} {
		if left < 0 || left+1 >= len(p.leaves) {
			continue
		}
		a, b := p.leaves[left], p.leaves[left+1]
		if len(a.times)+len(b.times) > p.sizes.leaf/2 {
			continue
		}
		n := len(a.times)
		a.settle()
		a.times, a.free = append(a.times, b.times...), append(a.free, b.free...)
		for i := n; i < len(a.free); i++ {
			a.free[i] += p.shifts[left+1] - p.shifts[left]
		}
		p.removeLeaf(left + 1)
		p.invalidate(left)
		return
	}
}

func (p *Profile) newLeaf() *leaf {
	var l *leaf
	if last := len(p.spare) - 1; last >= 0 {
		l, p.spare = p.spare[last], p.spare[:last]
	} else {
		room := p.sizes.leaf * 5 / 4 // more than the steps, so that settle is rare
		l = &leaf{roomForTimes: make([]int64, room), roomForFree: make([]int32, room)}
	}
	l.times, l.free, l.validity = l.roomForTimes[:0], l.roomForFree[:0], validity{}
	return l
}

func (p *Profile) splitLeaf(k int) {
	a, b := p.leaves[k], p.newLeaf()
	half := len(a.times) / 2
	b.times, b.free = append(b.times, a.times[half:]...), append(b.free, a.free[half:]...)
	a.times, a.free = a.times[:half], a.free[:half]
	p.starts = slices.Insert(p.starts, k+1, b.times[0])
	p.shifts = slices.Insert(p.shifts, k+1, p.shifts[k])
	p.leaves = slices.Insert(p.leaves, k+1, b)
	p.addToGroup(k)
	p.invalidate(k)
}

// removeLeaf removes leaf k, one of several. The previous leaf, if any, then reaches to its end.
func (p *Profile) removeLeaf(k int) {
	p.spare = append(p.spare, p.leaves[k])
	p.starts = slices.Delete(p.starts, k, k+1)
	p.shifts = slices.Delete(p.shifts, k, k+1)
	p.leaves = slices.Delete(p.leaves, k, k+1)
	p.removeFromGroup(k)
}
