// Sites: the workload models of the papers' sites, with the source of each number.

package workload

import "gridsweep/model/trace"

// DAS2Sizes is the processors of the clusters of DAS-2.
const DAS2Sizes = "144,64,64,64,64" // A, see Sites

// Sites returns the models of the papers' sites. Behind each number stands where it comes from:
//
//	A  the archive's summary of the whole trace (Grid Workloads Archive, GWA-T-1, 2, 4 and 10)
//	P  stated in a paper that used the trace
//	L  Li, Groep and Wolters, Workload characteristics of a multi-cluster supercomputer, JSSPP
//	   2004, for DAS-2
//	M  measured on the log CTC-SP2-1996-3.1-cln
//	D  derived from those
//	C  chosen by us
//
// Jobs are those of a Grid as a whole: the clusters at which they were submitted are not modelled.
func Sites() []Site {
	office := gammaCycle(typeless.cycle) // C: the cycle of the typeless Lublin–Feitelson model
	return []Site{
		{
			Name: "das2", Title: "DAS-2, months 9 to 12 of its trace", Sizes: DAS2Sizes,
			Jobs:  226_000,         // D: 973 jobs are 0.43 % of them (P)
			Span:  4 * trace.Month, // P
			Work:  1_870,           // D: 10 % of 400 processors (P) shared by these jobs
			shape: 0.522,           // L
			cycle: office,
			// L; even is C, since even sizes dominate (A)
			jobSizes: &twoStage{serial: 0.024, pow2: 0.78, low: 0.8, medium: 4.5, high: 7, prob: 0.90, even: true, limit: 128},
			runs:     logNormal{sigma: 1.70, longest: 162_754}, // L
		},
		{
			Name: "grid5000", Title: "Grid'5000, months 17 to 20 of its trace",
			// C; 1,312 (D), the first seven 648 (P)
			Sizes: "128,112,106,96,94,64,48,216,114,96,80,64,40,32,22",
			// D: the average rate of more than 1,000,000 jobs (A) in 30 months
			Jobs:  136_000,
			Span:  4 * trace.Month, // P
			Work:  10_150,          // D: 10 % (P) of 1,312 processors shared by these jobs
			shape: 0.522,           // C: that of DAS-2
			cycle: office,
			// C: mostly small, a parallel tail to hundreds, no more than the largest cluster
			jobSizes: &twoStage{serial: 0.5, pow2: 0.3, low: 0.8, medium: 3, high: 7.75, prob: 0.8, limit: 216},
			runs:     logNormal{sigma: 1.70, longest: 162_754}, // C: those of DAS-2
		},
		{
			Name: "auvergrid", Title: "AuverGrid, months 5 to 8 of its trace",
			Sizes: "112,84,186,38,55", // A
			Jobs:  134_700,            // D: the average rate of 404,176 jobs in 12 months (A)
			Span:  4 * trace.Month,    // P
			// A: 58.5 % of the 475 processors, 73 % of those offered: the paper's 70 % (P)
			Work:     21_700,
			shape:    0.522, // C: that of DAS-2
			cycle:    office,
			jobSizes: &twoStage{serial: 1, limit: 1},           // A
			runs:     logNormal{sigma: 1.70, longest: 432_000}, // C: five days
		},
		{
			Name: "sharcnet", Title: "SHARCNET, the year of its trace",
			// A
			Sizes: "128,1068,128,384,128,128,1536,3072,128,128",
			Jobs:  1_195_242,        // A
			Span:  12 * trace.Month, // A
			Work:  99_900,           // A
			shape: 0.522,            // C: that of DAS-2
			cycle: office,
			// C: "by chunks", intervals of many arrivals and of none (P)
			on: 42 * 3600, off: 42 * 3600,
			// C: mostly serial, a tail to hundreds; 512 is the largest job of the broker paper's
			// domains (D)
			jobSizes: &twoStage{serial: 0.85, pow2: 0.10, low: 0.8, medium: 4, high: 9, prob: 0.93, limit: 512},
			runs:     logNormal{sigma: 1.70, longest: 1_209_600}, // C: two weeks
		},
		ctc(),
	}
}

// ctc returns the model of the Cornell Theory Center's SP2: distributions as measured on the 77,205
// jobs of the cleaned log that have a run time and processors (M). The log has a weekly cycle too,
// which the model has not.
func ctc() Site {
	return Site{
		Name: "ctc-sp2", Title: "CTC SP2, June 1996 to May 1997",
		Sizes: "338",      // of the log's header; 430 in a paper (P)
		Jobs:  77_222,     // M
		Span:  29_299_062, // M: first to last submit
		Work:  107_934,    // M: 84 % of 338 processors
		// M: maximum likelihood for gaps without the daily cycle, from the third day on
		shape: 0.5315,
		cycle: hourly([24]float64{ // M: submits by hour of the log's time zone
			0.67, 0.44, 0.30, 0.26, 0.21, 0.18, 0.31, 0.48, 0.85, 1.39, 1.81, 1.90,
			1.69, 1.68, 1.65, 1.60, 1.48, 1.34, 1.09, 0.96, 0.92, 0.98, 1.08, 0.75,
		}),
		jobSizes: measuredSizes{
			{1, 1, 0.4196}, {2, 2, 0.0715}, {3, 3, 0.0128}, {4, 4, 0.1076}, {5, 5, 0.0245}, {6, 6, 0.0099}, {7, 7, 0.0028},
			{8, 8, 0.0767}, {9, 9, 0.0121}, {10, 10, 0.0248}, {11, 11, 0.0050}, {12, 12, 0.0096}, {13, 15, 0.0055},
			{16, 16, 0.0717}, {17, 17, 0.0035}, {18, 18, 0.0039}, {19, 31, 0.0147}, {20, 20, 0.0093}, {24, 24, 0.0061},
			{32, 32, 0.0458}, {33, 33, 0.0059}, {34, 34, 0.0024}, {35, 63, 0.0112}, {64, 64, 0.0242}, {65, 65, 0.0018},
			{66, 127, 0.0030}, {128, 128, 0.0085}, {129, 129, 0.0014}, {130, 255, 0.0011}, {256, 256, 0.0015},
			{257, 336, 0.0017},
		},
		runs: measuredRuns{
			{1, [quantiles]float64{
				2, 44, 50, 60, 127, 316, 644, 1304, 2355, 3195, 5353,
				8189, 10834, 14716, 19629, 26241, 34163, 41651, 51341, 62011, 64842,
			}},
			{4, [quantiles]float64{
				33, 53, 57, 61, 65, 72, 78, 89, 112, 138, 180,
				262, 385, 736, 1247, 2955, 7877, 21641, 41230, 58524, 64850,
			}},
			{8, [quantiles]float64{
				33, 60, 64, 67, 71, 77, 83, 92, 109, 140, 189,
				286, 414, 779, 1533, 2736, 4485, 6529, 11502, 32450, 64847,
			}},
			{16, [quantiles]float64{
				35, 68, 77, 84, 94, 117, 144, 173, 229, 341, 517,
				918, 1548, 2704, 4336, 7404, 12994, 21203, 36898, 48330, 64840,
			}},
			{32, [quantiles]float64{
				41, 86, 102, 114, 132, 158, 192, 287, 451, 688, 1120,
				1811, 3690, 5978, 7328, 10628, 13959, 22552, 34532, 50467, 64846,
			}},
			{64, [quantiles]float64{
				39, 99, 131, 154, 176, 212, 252, 353, 473, 657, 985,
				1745, 3077, 4918, 7529, 12061, 18684, 23908, 31573, 49257, 64858,
			}},
			{336, [quantiles]float64{
				49, 135, 192, 233, 278, 321, 381, 480, 585, 750, 1035,
				1699, 2773, 6111, 9069, 14514, 24055, 32662, 52040, 64856, 65012,
			}},
		},
	}
}
