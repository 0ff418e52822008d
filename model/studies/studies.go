// Package studies lists the models there are. A new study is a package beside model/coallocation, a
// folder under configs and a line here.
package studies

import (
	"gridsweep/model"
	"gridsweep/model/brokering"
	"gridsweep/model/coallocation"
	"gridsweep/model/intergrid"
	"gridsweep/model/multisite"
	"gridsweep/model/provisioning"
	"gridsweep/model/scheduling"
)

// All returns every model, in the order in which they are listed to people.
func All() []*model.Model {
	return []*model.Model{
		model.New(coallocation.Spec),
		model.New(multisite.Spec),
		model.New(provisioning.Spec),
		model.New(provisioning.SlotsSpec),
		model.New(intergrid.Spec),
		model.New(brokering.Spec),
		model.New(brokering.AggregationSpec),
		model.New(scheduling.Spec),
	}
}
