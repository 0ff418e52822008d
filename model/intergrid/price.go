// Prices: the unit cost of a request and the prices of contracts, by Equations 2 and 3.

package intergrid

// unitCost returns what a unit of a request costs a Grid, mc / u of Equation 2, where units cost p
// on average: p · (1 + β²(a² + aL + L²)), with L the load booked and a = L + added that with the
// request. The total cost at load L, of L_units booked units, is L_units · p · (1 + (βL)²) (section
// 4); its difference, by unit, has (a³ − L³) / (a − L) = a² + aL + L².
func unitCost(beta, p, load, added float64) float64 {
	a := load + added
	squares := float64(a*a) + float64(a*load) + float64(load*load)
	return float64(p * (1 + float64(beta*beta*squares)))
}

// maximumPrice returns the maximum price of a contract: the unit cost at load L of a request that
// adds next to none (section 4.1).
func maximumPrice(beta, p, level float64) float64 { return unitCost(beta, p, level, 0) }

// priceRange returns Δ of a contract, how far its minimum price is below the maximum one: δ_k(L) of
// Equation 3 for a request that adds next to no load, 3β²p(L² - (L-k)²).
func priceRange(beta, p, level, k float64) float64 {
	return float64(3 * beta * beta * p * k * (float64(2*level) - k))
}
