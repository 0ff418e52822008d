// The search for classes that may start: those whose best broker has a resource that fits them.

package retry

import (
	"math"

	"gridsweep/model/brokering/information"
	"gridsweep/model/brokering/pool"
)

// view is how a broker treats the classes of a block. It is valid for one version of the block and
// one of the broker's information, which also changes whenever more or less is free of a
// resource of the broker. The view is made in three steps (refresh):
//
//  1. The classes that each aggregated computer matches are found. If one matches some jobs of a
//     class only, because others need more disk, the broker is unsure of the class: its score
//     differs between the jobs.
//  2. The other classes are divided into groups. All jobs of a group match the same aggregated
//     computers, so the broker has the same rank for them.
//  3. A group gives a choice for the classes of the broker's own users and one for the others,
//     since the origin may change the score. The classes of which the broker is unsure are one more
//     choice, with the broker's bound as its score. It decides no class (searchBlock), since some
//     jobs may go elsewhere. So no job that may start is missed. If one is tried that cannot,
//     narrow splits the class.
type view struct {
	visited            int64  // the last search of the block that visited the broker
	block, information int64  // versions for which the rest is valid
	fits               uint64 // classes that a resource of the broker fits now
	couldRunAll        uint64 // classes of which the broker could run all jobs if nothing ran there
	groups             []group
	choices            []choice

	matches []aggregateMatch // with the broker's aggregates, by their Index
}

// aggregateMatch is the classes for which the maxima of an aggregate suffice.
type aggregateMatch struct {
	clock, most int64 // of the aggregate, when the classes were found
	// The classes that match. Their jobs differ in disk alone: an FS may match some of a class.
	some uint64 // CS, OS (clock and CPUs, memory): all jobs; FS (disk): some jobs at least
	all  uint64 // FS: all jobs
}

// group is classes all jobs of which match the same aggregated computers of a broker.
type group struct {
	classes uint64
	ranks   pool.Ranks // of these computers
}

// choice is some classes of a view for which the broker has one score.
type choice struct {
	score       float64
	classes     uint64
	fits        uint64 // those of them that a resource of the broker fits now
	couldRunAll uint64 // those of them of which the broker could run all jobs: it hands none back
}

// concerns reports whether a broker has changed on which the search of a block depends: one that
// the last search visited, or one whose score may be as high as the lowest one that it came to.
func (x *Index) concerns(b *block) bool {
	if x.Information == nil {
		return false
	}
	for _, d := range x.changed {
		if b.views[d].visited == b.searches || x.Information.Bound(d, b.platform) >= b.lowest {
			return true
		}
	}
	return false
}

// searchBlock goes through the scores of brokers from the highest down, until the best broker of
// each class that some resource fits is known. A class is startable if that broker has such a
// resource.
//
// Each turn of the loop has one score. First it visits the brokers whose bound is as high; if one
// of these has a higher score, that is the score of the turn. Then it looks at the choices of this
// score. A broker that could run all jobs of a class decides the class: none of its jobs goes to a
// broker with a lower score.
//
// Example: resources of broker A fit the classes p and q; its bound is 9 and its score for both 5.
// Broker B, with bound 7 and score 6, matches q alone and could run its jobs, but no resource of B
// fits them now.
//
//	score  visits  choices      startable  left
//	    6  A, B    B for q      -          p
//	    5  -       A for p, q   p          -
//
// Class q is not startable although A has room: its jobs go to B.
//
// If A were unsure of p, there would be a turn before these with A's bound as the score, 9. In it p
// becomes startable, since a job of p may have this score and a resource of A fits it. It stays
// left, since other jobs of p may go to brokers with lower scores.
func (x *Index) searchBlock(b *block) {
	if x.Information == nil {
		b.startable = b.fitting // any resource that fits will do: see Config.Information
		return
	}
	b.searches++
	b.startable, b.lowest = 0, math.Inf(1)
	brokers := x.Information.Brokers(b.platform)
	x.choices = x.choices[:0]
	next, score := 0, -1.0 // the next broker to visit; the score of the turn
	for left := b.fitting; left != 0; {
		for ; next < len(brokers) && brokers[next].Bound >= score; next++ {
			score = max(score, x.visit(b, brokers[next].Broker, left))
		}
		if score < 0 {
			return // no broker is known to be able to run all jobs of the classes that are left
		}
		b.lowest = score
		var decided uint64
		lower := -1.0 // the score of the next turn: the next lower one of a choice
		for i := range x.choices {
			switch c := &x.choices[i]; {
			case c.score == score: // of equal brokers each may be chosen
				b.startable |= left & c.fits
				decided |= c.couldRunAll
			case lower < c.score && c.score < score && c.classes&left != 0:
				lower = c.score
			}
		}
		left, score = left&^decided, lower
	}
}

// visit adds the choices of a broker for some classes and returns the highest score; -1 for none.
func (x *Index) visit(b *block, broker int32, classes uint64) float64 {
	v := &b.views[broker]
	v.visited = b.searches
	if v.block != b.version || v.information != x.Information.Version(broker) {
		x.refresh(b, v, broker)
	}
	best, choices := -1.0, v.choices
	for i := range choices {
		c := &choices[i]
		if c.classes&classes == 0 {
			continue
		}
		x.choices = append(x.choices, *c)
		if c.score > best {
			best = c.score
		}
	}
	return best
}

// refresh finds how a broker treats the classes of a block now.
func (x *Index) refresh(b *block, v *view, broker int32) {
	from, to := x.Pool.Range(b.platform, broker)
	if v.block != b.version {
		v.block, v.couldRunAll = b.version, 0
		if v.matches == nil {
			v.matches = make([]aggregateMatch, x.Information.Aggregates())
		}
		for i := range v.matches {
			v.matches[i].clock = -1 // which no aggregate has
		}
		totals := x.Pool.TotalsOf(b.platform, broker)
		for i := range totals { // all gives the classes for which its clock suffices
			v.couldRunAll |= b.classify(b.conflicts[from+int32(i)].all(), &totals[i])[pool.NoConflict]
		}
	}
	v.information, v.fits = x.Information.Version(broker), 0
	for i := from; i < to; i++ {
		v.fits |= b.conflicts[i][pool.NoConflict]
	}
	own, classes := b.origins[broker], b.present
	if x.Policy == OriginOnly {
		classes &= own
	}
	unsure := v.match(b, x.Information.AggregatedComputers(broker, b.platform), classes)
	v.choices = v.choices[:0]
	for i := range v.groups {
		g := &v.groups[i]
		if g.ranks.Count == 0 {
			continue
		}
		v.addChoice(x.Score(broker, OtherOrigin, &g.ranks), g.classes&^own)
		v.addChoice(x.Score(broker, broker, &g.ranks), g.classes&own)
	}
	if unsure != 0 {
		bound := x.Information.Bound(broker, b.platform)
		v.choices = append(v.choices, choice{score: bound, classes: unsure, fits: unsure & v.fits})
	}
}

// addChoice adds the broker as a choice for some classes, if there are any.
func (v *view) addChoice(score float64, classes uint64) {
	if classes != 0 {
		v.choices = append(v.choices, choice{score, classes, classes & v.fits, classes & v.couldRunAll})
	}
}

// match groups classes by the aggregated computers that match all their jobs. It returns the
// classes of which one matches some jobs only. These are in no group.
func (v *view) match(b *block, computers *information.AggregatedComputers, classes uint64) (unsure uint64) {
	v.updateMatches(b, computers.Aggregates)
	v.groups = append(v.groups[:0], group{classes: classes})
	for i := range computers.List {
		c := &computers.List[i]
		disk := &v.matches[c.Aggregates[information.FS].Index]
		some := disk.some & v.matches[c.Aggregates[information.CS].Index].some &
			v.matches[c.Aggregates[information.OS].Index].some
		all := some & disk.all
		unsure |= classes & some &^ all
		if all &= classes; all == 0 {
			continue
		}
		for j := range v.groups { // not those that it appends
			g := &v.groups[j]
			in := g.classes & all
			if in == 0 {
				continue
			}
			if in != g.classes {
				g.classes &^= in
				v.groups = append(v.groups, group{in, g.ranks})
				g = &v.groups[len(v.groups)-1]
			}
			g.ranks.Add(c.Rank)
		}
	}
	for j := range v.groups {
		v.groups[j].classes &^= unsure
	}
	return unsure
}

// updateMatches finds the classes that match anew for each aggregate that has changed. The rule is
// that of information.AggregatedComputer.Matches.
func (v *view) updateMatches(b *block, aggregates []*information.Aggregate) {
	for _, a := range aggregates {
		m := &v.matches[a.Index]
		if m.most == a.Max && m.clock == a.Clock {
			continue
		}
		m.clock, m.most = a.Clock, a.Max
		switch a.Category {
		case information.CS:
			m.some = b.clocks.within(a.Clock) & b.cpus.within(a.Max)
		case information.OS:
			m.some = b.memories.within(a.Max)
		default:
			m.some, m.all = b.minDisks.within(a.Max), b.maxDisks.within(a.Max)
		}
	}
}
