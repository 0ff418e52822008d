package workload
type Site struct{}
func Sites() []Site {return nil}
func (Site) model() Model {return Model{}}
