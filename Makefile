# make alone lists the targets. Building, reproducing and testing need nothing but Go.

GO        ?= go
STUDY     ?= coallocation
FUZZTIME  ?= 10s
BENCH     ?= .
COUNT     ?= 6
BENCHFILE ?= out/bench.txt
IMAGE     ?= gridsweep

# What shares memory between goroutines; the rest computes on one.
CONCURRENT = ./pipeline/... ./results/... ./cmd/internal/...

.DEFAULT_GOAL := help
.PHONY: help build reproduce quick test test-all race emulate lint bench fuzz docs man release image clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

# Without HTTP/2, which no download needs: 0.4 MB.
build: ## build the program as ./gridsweep
	$(GO) build -trimpath -buildvcs=auto -ldflags=-s -tags=nethttpomithttp2 -o gridsweep ./cmd/gridsweep

reproduce: ## run the study at full published scale and write its report to out/ (STUDY=coallocation)
	$(GO) run ./cmd/gridsweep reproduce $(STUDY)

quick: ## the same with small runs, within a minute, in out/quick/
	$(GO) run ./cmd/gridsweep reproduce $(STUDY) --quick

# A GOFLAGS of the environment or of go env -w might change what is tested; an empty one would not override the latter.
test test-all race emulate: export GOFLAGS = -mod=readonly

test: ## test that the program works, within three minutes
	$(GO) test -short -timeout 30m ./...

# Packages start in the order of the command line: the longest one first. With -count=1 no result is kept, for which go
# would read the files again that tests have opened.
test-all: race ## run all tests: kills, full disks, races, other processors, Slurm and Python too
	$(GO) test -count=1 -timeout 3h ./cmd/cli ./...

race: export GRIDSWEEP_TRACES = # real logs make tests longer, and no more concurrent
race: ## find data races in what is concurrent and in some runs of each study, where there is a C compiler for it
	@if [ "$$($(GO) env CGO_ENABLED)" = 1 ]; then \
		set -ex; $(GO) test -race -short $(CONCURRENT); $(GO) test -race -run '^TestWrite' ./analysis/draw; \
		$(GO) test -race -run '^TestMemoChangesNoRow$$' ./cmd/cli; \
	else \
		echo "no C compiler: the race detector is left out"; \
	fi

emulate: STUDY = all
emulate: ## compare digests of quick plans with arm64 and s390x, which qemu-user emulates, in an hour or two (STUDY=all)
	GRIDSWEEP_REQUIRE_QEMU=1 $(GO) test ./cmd/cli -run '^TestDigestsUnderEmulation$$' -count 1 -timeout 0 -v -emulate $(STUDY)

lint: ## check format, go vet and staticcheck
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "run gofmt -w on:" $$unformatted; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

bench: ## run the benchmarks into out/bench.txt, for benchstat (BENCH=. COUNT=6 BENCHFILE=out/bench.txt)
	@mkdir -p $(dir $(BENCHFILE))
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) ./... > $(BENCHFILE) || { cat $(BENCHFILE); exit 1; }
	@grep -v 'no test files' $(BENCHFILE)

fuzz: ## fuzz every target for a while (FUZZTIME=10s)
	@set -e; for file in $$(find . -name '*_test.go' -exec grep -l '^func Fuzz' {} +); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$file); do \
			echo "$$(dirname $$file) $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$(dirname $$file); \
		done; \
	done

docs: ## generate the files of docs that are made from the code, NOTICE and the licences of what is linked
	$(GO) test ./cmd/cli -run '^TestDocs.*AreCurrent$$' -count 1 -update

man: ## make the man pages in docs/man, to read with man -l docs/man/gridsweep.1
	@rm -rf docs/man
	$(GO) test ./cmd/cli -run '^TestManPages$$' -count 1 -man '$(CURDIR)/docs/man'

release: ## build archives and wheels for all systems, with SBOMs and checksums, in out/release (PLATFORMS="linux/amd64 …")
	@GO='$(GO)' .ci/release

image: ## build a container image for this processor with buildah (IMAGE=gridsweep)
	@GO='$(GO)' PLATFORMS=linux/$$($(GO) env GOARCH) .ci/release out/image
	tar -xzf out/image/*.tar.gz -C out/image --strip-components 1
	cp /etc/ssl/certs/ca-certificates.crt out/image
	buildah bud --isolation chroot --tag '$(IMAGE)' --file cmd/gridsweep/Containerfile out/image

clean: ## remove what was built; results in out/ stay
	rm -f gridsweep $(BENCHFILE)
	rm -rf docs/man
	find . -name '*.test' -type f -exec rm -f {} +
