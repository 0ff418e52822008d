// Windows: where in an interval of the start task the request may run.

package coallocation

// window returns the window that an interval of the start task gives to the other tasks, and false
// if it gives none (section 3.1, step 4).
func (b *broker) window(interval gap) (gap, bool) {
	switch b.point.Window {
	case "shrinking":
		return interval, true
	case "sliding":
		return b.slide(interval)
	default: // fixed
		return b.executionIn(interval), true
	}
}

// executionIn returns the t_ET at the beginning of a window, or at its end if tasks start late.
func (b *broker) executionIn(window gap) gap {
	if b.latest {
		return gap{window.end - b.request.service, window.end}
	}
	return gap{window.begin, window.begin + b.request.service}
}

// slide returns the first t_ET of the interval, or the last if tasks start late, in which every
// task has a resource. Moved forward, a window fits more tasks only where an interval begins; moved
// back, only where one ends. So no other times are tried.
func (b *broker) slide(interval gap) (gap, bool) {
	window := b.executionIn(interval)
	for window.begin >= interval.begin && window.end <= interval.end {
		if b.everyTaskFits(window) {
			return window, true
		}
		window = b.nextWindow(window)
	}
	return gap{}, false
}

// everyTaskFits reports whether each type has a resource for each of its tasks in the window.
func (b *broker) everyTaskFits(window gap) bool {
	for _, t := range b.needed {
		c, fitting := &b.byType[t], 0
		for i := range c.list {
			if c.list[i].begin <= window.begin && c.list[i].end >= window.end {
				fitting++ // of different resources, since the gaps of one do not overlap
			}
		}
		if fitting < c.tasks {
			return false
		}
	}
	return true
}

// nextWindow returns the window at the next begin of an interval, or at the next end if tasks start
// late; far away if there is none.
func (b *broker) nextWindow(window gap) gap {
	begin, end := forever, -forever
	for _, t := range b.needed {
		for i := range b.byType[t].list {
			interval := &b.byType[t].list[i]
			if interval.begin > window.begin {
				begin = min(begin, interval.begin)
			}
			if interval.end < window.end {
				end = max(end, interval.end)
			}
		}
	}
	if b.latest {
		return gap{end - b.request.service, end}
	}
	return gap{begin, begin + b.request.service}
}
