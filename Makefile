# SPDX-License-Identifier: Apache-2.0
# The commands people type. `make sheet` and `make test` install what is missing first.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PROGRAM := build/release/sizesheet
PRESET := release

.PHONY: help sheet site calculator diff test fuzz reliability intervals refit golden picture bench check format deps clean program accompanying \
  install uninstall deb tarball deps-build deps-package deps-calculator deps-test

help:           ## this list
	@grep -hE '^[a-z]+: .*##|^[a-z]+:  *##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## */make \1\t/' | expand -t 18

sheet: program  ## build the program, then the current edition into output/
	@$(PROGRAM) build --catalog catalog --out output
	@echo "The page: output/sheet.pdf"
	@echo "The site: output/index.html"

site: program calculator ## the current edition with the calculator, for publishing, into build/site
	@$(PROGRAM) build --catalog catalog --calculator build/calculator/calculator.js --out build/site
	@echo "The site: build/site/index.html"

calculator: deps-calculator ## the engine of the calculator's page, for `sizesheet build --calculator`
	@emcmake cmake -S cmake/calculator -B build/calculator -G Ninja > /dev/null
	@cmake --build build/calculator
	@echo "The engine: build/calculator/calculator.js"

PREFIX := /usr/local

install: accompanying ## the program, its manual page and completions into PREFIX (/usr/local), below DESTDIR
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

uninstall:      ## removes what `make install` wrote, below the same DESTDIR
	@tools/uninstall.sh build/release "$(DESTDIR)"

deb: accompanying deps-package ## a Debian package for the Debian it is built on
	@cd build/release && cpack -G DEB

tarball: accompanying ## the same as an archive that runs wherever it is unpacked
	@cd build/release && cpack -G TGZ

diff: program   ## what the working catalog changes in the sheet, against the last commit
	@old=$$(mktemp -d); trap 'rm -rf "$$old"' EXIT; \
	git show HEAD:output/sheet.json > "$$old/sheet.json"; \
	$(PROGRAM) diff "$$old/sheet.json" catalog || [ $$? -eq 1 ]

test: deps-test calculator ## everything CI runs: unit tests, sanitizers, browser, PDF, style
	@tools/cmake-build.sh $(PRESET) sizesheet sizesheet_tests fault_shim accompanying
	@tools/cmake-build.sh asan sizesheet sizesheet_tests
	ctest --preset asan
	ctest --preset $(PRESET)

SECONDS_EACH := 60

fuzz: deps-test ## feeds every fuzz target for SECONDS_EACH seconds (60)
	@tools/cmake-build.sh fuzz sizesheet_fuzz
	python3 tests/fuzz/run.py build/fuzz/sizesheet_fuzz . build/fuzz --seconds $(SECONDS_EACH)

reliability: deps-test ## the long reliability checks, hours of them, and their counts in docs/reliability.md
	@tools/cmake-build.sh release sizesheet fault_shim
	@tools/cmake-build.sh asan sizesheet sizesheet_tests
	@tools/cmake-build.sh fuzz sizesheet_fuzz
	@tools/cmake-build.sh tsan sizesheet
	python3 tests/reliability/results.py run
	python3 tests/reliability/results.py write

intervals: program ## fit the intervals of estimates anew, after a change of the engine or of measurements
	@$(PROGRAM) validate --write-intervals catalog/intervals.json \
	  --write-speed-intervals catalog/speed_intervals.json > /dev/null || [ $$? -eq 1 ]
	@echo "The intervals: catalog/intervals.json, catalog/speed_intervals.json"

refit: program  ## speeds of sources left out, every constant fitted anew without them: into docs/method.md
	python3 tests/numbers/refit.py $(PROGRAM) catalog --write

golden: deps-build ## rewrite the golden files under tests/golden from what the program writes now
	@tools/cmake-build.sh release sizesheet sizesheet_tests
	SIZESHEET_UPDATE_GOLDEN=1 build/release/sizesheet_tests --gtest_brief=1

picture: deps-test sheet ## the picture of the page in README.md
	python3 tests/docs/picture.py draw output/sheet.pdf docs/sheet.png

bench: deps-test calculator ## benchmarks: of the program, with the table in docs/reliability.md, and of pages in a browser
	@tools/cmake-build.sh release sizesheet sizesheet_bench
	python3 tests/bench/figures.py run
	python3 tests/bench/figures.py write
	@whole=$$(mktemp -d); trap 'rm -rf "$$whole"' EXIT; \
	node tests/build/whole_catalog.mjs catalog > "$$whole/sheet.json"; \
	$(PROGRAM) build --catalog catalog --calculator build/calculator/calculator.js \
	  --sheet "$$whole/sheet.json" --out "$$whole/edition" 2> /dev/null; \
	node tests/bench/pages.mjs "$$whole/edition"

check: deps-test ## format and clang-tidy
	@tools/format.sh --check
	@tools/tidy.sh

format: deps-test ## rewrite the sources in the project's format
	@tools/format.sh

deps: deps-test ## only install what is missing

clean:          ## remove everything that was built
	rm -rf build tests/browser/node_modules

accompanying: deps-build
	@tools/cmake-build.sh release accompanying

program: deps-build
	@tools/cmake-build.sh release sizesheet

deps-build:
	@tools/install.sh build

deps-calculator:
	@tools/install.sh calculator

deps-package:
	@tools/install.sh package

deps-test:
	@tools/install.sh test
