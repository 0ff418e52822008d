// The order of brokers by upper bounds of their scores.

package information

// BoundedBroker is a broker with an upper bound of its scores for jobs of a platform.
type BoundedBroker struct {
	Broker int32
	Bound  float64
}

// order is the brokers that have clusters of a platform, by their bounds, the highest first.
type order struct {
	brokers []BoundedBroker
	// of each broker, its index in brokers; no meaning for one without a cluster of the platform
	positions []int32
}

// setBound sets the bound of a broker and moves it to its position.
func (o *order) setBound(broker int32, bound float64) {
	at, b := int(o.positions[broker]), o.brokers
	b[at].Bound = bound
	for ; at > 0 && b[at-1].Bound < bound; at-- {
		o.swap(at, at-1)
	}
	for ; at+1 < len(b) && b[at+1].Bound > bound; at++ {
		o.swap(at, at+1)
	}
}

func (o *order) swap(i, j int) {
	b := o.brokers
	b[i], b[j] = b[j], b[i]
	o.positions[b[i].Broker], o.positions[b[j].Broker] = int32(i), int32(j)
}
