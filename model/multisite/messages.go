// Messages: what the gateway and the providers send each other, and the counts of it.

package multisite

// message is what a message between the gateway and a provider is for.
type message int

const (
	slotRequest message = iota
	slotList            // an answer to a request, or a publication
	loadReport
	reserve
	offer
	refuse // with a list of slots
	commit
	acknowledge
	submit
	messageCount // how many there are
)

var messageNames = [messageCount]string{
	slotRequest: "slot request", slotList: "slots", loadReport: "load report",
	reserve: "reserve", offer: "offer", refuse: "refuse", commit: "commit", acknowledge: "acknowledge", submit: "submit",
}

// count counts n messages of each that are sent now, unless now is in the warm-up.
func (w *world) count(now, n int64, sent ...message) {
	if now < int64(w.p.Warmup) {
		return
	}
	for _, m := range sent {
		w.messages[m] += n
	}
}
