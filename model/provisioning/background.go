package provisioning

import "gridsweep/model/cluster"

// siteConfig returns the machine of the best-effort jobs.
func siteConfig(nodes int64, numbering string) cluster.Config {
	return cluster.Config{Procs: int32(nodes)}
}
