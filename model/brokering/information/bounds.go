// The order of brokers by upper bounds of their scores.

package information

// Bound is a broker with an upper bound of its scores for jobs of a platform.
type Bound struct {
	Broker   int32
	MaxScore float64 // no score of the broker is higher
}

// order is the brokers that have clusters of a platform, by their bounds, the highest first.
type order struct {
	brokers []Bound
	// of each broker, its index in brokers; no meaning for one without a cluster of the platform
	positions []int32
}

// setBound sets the bound of a broker and moves it to its position.
func (o *order) setBound(broker int32, score float64) {
	at, b := int(o.positions[broker]), o.brokers
	b[at].MaxScore = score
	for ; at > 0 && b[at-1].MaxScore < score; at-- {
		o.swap(at, at-1)
	}
	for ; at+1 < len(b) && b[at+1].MaxScore > score; at++ {
		o.swap(at, at+1)
	}
}

func (o *order) swap(i, j int) {
	b := o.brokers
	b[i], b[j] = b[j], b[i]
	o.positions[b[i].Broker], o.positions[b[j].Broker] = int32(i), int32(j)
}
