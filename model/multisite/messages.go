package multisite

// Messages: the kinds of messages between the gateway and the providers, and their counts.

// kind is a kind of message between the gateway and a provider.
type kind int

const (
	slotRequest kind = iota
	slotList         // an answer to a request, or a publication
	loadReport
	reserve
	offer
	refuse // with a list of slots
	commit
	acknowledge
	submit
	kinds
)

var kindNames = [kinds]string{
	slotRequest: "slot request", slotList: "slots", loadReport: "load report",
	reserve: "reserve", offer: "offer", refuse: "refuse", commit: "commit", acknowledge: "acknowledge", submit: "submit",
}

// send counts messages that are sent now.
func (w *world) send(now int64, n int64, sent ...kind) {
	if now < int64(w.p.Warmup) {
		return
	}
	for _, k := range sent {
		w.messages[k] += n
	}
}
