// Tests of the parameters that are lists: values, errors, and fuzzed text.

package brokering

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gridsweep/model/brokering/pool"
)

var unexportedOfDomains = cmp.AllowUnexported(domain{}, cluster{}, pool.Platform{}, job{}, memoryShare{})

func TestParseClusters(t *testing.T) {
	want := []cluster{
		{platform: pool.Platform{Vendor: "Intel", System: "Linux"}, cpus: 72},
		{platform: pool.Platform{Vendor: "Intel", System: "Linux"}, cpus: 64},
		{platform: pool.Platform{Vendor: "AMD", System: "AIX"}, cpus: 106},
		{platform: pool.Platform{Vendor: "x86-64", System: "Größe"}, cpus: 1},
		{platform: pool.Platform{Vendor: "Intel", System: "Linux"}, cpus: 8},
	}
	for _, text := range []string{
		"Intel/Linux 72,64; AMD/AIX 106; x86-64/Größe 1; Intel/Linux 8",
		" Intel/Linux\t72 , 64;AMD/AIX  106 ;\nx86-64/Größe 1;Intel/Linux 8 ",
	} {
		have, err := parseClusters(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have, unexportedOfDomains); diff != "" {
			t.Errorf("%q (-want +have):\n%s", text, diff)
		}
	}
}

func TestParseClustersErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                         `entry 1 begins with "", want a vendor and an operating system, such as Intel`,
		"Intel/Linux 72;":          `entry 2 begins with "", want a vendor`,
		"Intel 72":                 `entry 1 begins with "Intel", want a vendor and an operating system`,
		"Intel / Linux 72":         `entry 1 begins with "Intel", want a vendor`,
		"/Linux 72":                `begins with "/Linux", want a vendor`,
		"Intel/ 72":                `begins with "Intel/", want a vendor`,
		"Intel/Linux/2 72":         `begins with "Intel/Linux/2", want a vendor`,
		"Intel,AMD/Linux 72":       `begins with "Intel,AMD/Linux", want a vendor`,
		"Intel/Li\x00nux 72":       `begins with "Intel/Li\x00nux", want a vendor`,
		"Intel/\xff 72":            `begins with "Intel/\xff", want a vendor`,
		"Intel/Linux":              `Intel/Linux has no clusters, want their CPUs after a space, such as Intel/Linux 72`,
		"Intel/Linux 72,":          `Intel/Linux: sizes "72,": number 2 is "", want processors of clusters`,
		"Intel/Linux 0":            `Intel/Linux: sizes "0": number 1 is "0", want processors of clusters, from 1 to`,
		"Intel/Linux 72 64":        `Intel/Linux: sizes "72 64": number 1 is "72 64", want processors of clusters`,
		"A/B 1; AMD/AIX 1.5":       `AMD/AIX: sizes "1.5": number 1 is "1.5", want processors of clusters`,
		"A/B 2147483647,1":         `A/B: sizes "2147483647,1": together they are more than 2147483647 processors`,
		"A/B 99999999999999999999": `A/B: sizes "99999999999999999999": number 1 is "99999999999999999999", want`,
	} {
		if list, err := parseClusters(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want %s", text, list, err, want)
		}
	}
}

func TestParseMix(t *testing.T) {
	mix, err := parseMix(" 512 : 0.25,128:0.5, 64:0, 512:.25 ")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]memoryShare{{512, 0.25}, {128, 0.75}, {64, 0.75}, {512, 1}}, mix,
		unexportedOfDomains); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
	mix[3].memory = 1024
	for _, c := range []struct {
		u    float64
		want int64
	}{{0, 512}, {0.2499, 512}, {0.25, 128}, {0.7499, 128}, {0.75, 1024}, {1 - 0x1p-53, 1024}} {
		if have := memoryAt(mix, c.u); have != c.want {
			t.Errorf("%v: %d MB, want %d", c.u, have, c.want)
		}
	}
	// Shares whose sum is rounded to below 1 leave no gap, and a share of 0 at the beginning is
	// never chosen.
	tenths, err := parseMix("1:0," + strings.Repeat("2:0.1,", 9) + "3:0.1")
	if err != nil {
		t.Fatal(err)
	}
	if last := tenths[len(tenths)-1].cumulated; last >= 1 {
		t.Fatalf("ten tenths are %v", last)
	}
	if a, z := memoryAt(tenths, 0), memoryAt(tenths, 1-0x1p-53); a != 2 || z != 3 {
		t.Errorf("%d and %d MB, want 2 and 3", a, z)
	}
}

func TestParseMixErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                      `entry 1 is "", want whole MB from 1 to 1000000000, a colon and a share, such as 128:0.5`,
		"128":                   `entry 1 is "128", want MB, a colon and a share from 0 to 1, such as 128:0.5`,
		"128:1,":                `entry 2 is "", want whole MB`,
		"0:1":                   `entry 1 is "0:1", want whole MB from 1`,
		"-5:1":                  `entry 1 is "-5:1", want whole MB from 1`,
		"1.5:1":                 `entry 1 is "1.5:1", want whole MB`,
		"1000000001:1":          `entry 1 is "1000000001:1", want whole MB from 1 to 1000000000`,
		"128:-0.5,256:1.5":      `entry 1 is "128:-0.5", want MB, a colon and a share from 0 to 1`,
		"128:NaN":               `entry 1 is "128:NaN", want MB, a colon and a share from 0 to 1`,
		"128:Inf":               `entry 1 is "128:Inf", want MB, a colon and a share from 0 to 1`,
		"128:1:2":               `entry 1 is "128:1:2", want MB, a colon and a share from 0 to 1`,
		"128:0.5,256:0.4":       `the shares sum to 0.9, want 1`,
		"128:0.5,256:0.5625":    `the shares sum to 1.0625, want 1`,
		"128:0.5,256:0.5000001": `the shares sum to 1.00000`,
		"128:0,256:0":           `the shares sum to 0, want 1`,
	} {
		if mix, err := parseMix(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want %s", text, mix, err, want)
		}
	}
}

// Parsed clusters are valid, and their text parses to the same clusters.
func FuzzParseClusters(f *testing.F) {
	for _, text := range []string{defaults.SmallClusters, defaults.MediumClusters, "A/B 1;A/B\t1 , 2", "A/B", "/ 1",
		"Ä/\u00a0 3", ";"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clusters, err := parseClusters(text)
		if err != nil {
			return
		}
		var texts []string
		for _, c := range clusters {
			if c.cpus < 1 || c.platform.Vendor == "" || c.platform.System == "" ||
				strings.ContainsAny(c.platform.Vendor+c.platform.System, "/,; \t\n\u00a0") {
				t.Fatalf("%q has the cluster %+v", text, c)
			}
			texts = append(texts, fmt.Sprintf("%s/%s %d", c.platform.Vendor, c.platform.System, c.cpus))
		}
		again, err := parseClusters(strings.Join(texts, "; "))
		if err != nil || len(clusters) == 0 || !slices.Equal(clusters, again) {
			t.Fatalf("%q is %v, then %v, error %v", text, clusters, again, err)
		}
	})
}

// Every number in [0, 1) chooses a memory with a share above 0.
func FuzzParseMix(f *testing.F) {
	for _, text := range []string{defaults.MemoryMix, "128:1", "1:0,2:1", "1:0x1p-1,2:.5", "1:1e-10,2:1", "1 : 1", ":1",
		"1:"} {
		f.Add(text, 0.5)
	}
	f.Fuzz(func(t *testing.T, text string, u float64) {
		mix, err := parseMix(text)
		if err != nil || !(u >= 0 && u < 1) {
			return
		}
		last := 0.0
		for _, m := range mix {
			if m.memory < 1 || m.memory > mostMB || m.cumulated < last {
				t.Fatalf("%q is %v", text, mix)
			}
			last = m.cumulated
		}
		if last < 1-1e-9 || last > 1+1e-9 {
			t.Fatalf("%q sums to %v", text, last)
		}
		chosen := memoryAt(mix, u)
		if !slices.ContainsFunc(mix, func(m memoryShare) bool { return m.memory == chosen }) {
			t.Fatalf("%q: %d MB", text, chosen)
		}
	})
}
