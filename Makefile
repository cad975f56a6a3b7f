# The project's commands. Each does its own set-up; `make` alone lists them.
PORT ?= 8080
DATA ?= Data
SAMPLES ?= 1
STORE ?=
DOCS_PORT ?= 8081
STUDIO_PORT ?= 8082
FILES ?=
STEP ?=
FAULT ?=
WRITE ?= 0
DURATION ?= 60
PANELS ?= 0
STUDIOS ?= 0

.DEFAULT_GOAL := help
.PHONY: help run run-cluster studio test check sanitize fuzz faults safety bench docs load long-run format clean

help: ## Show this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | awk -F '\t' '{printf "  make %-11s %s\n", $$1, $$2}'

run: ## Build the sample applications and serve them on 127.0.0.1 (PORT=8080 DATA=Data SAMPLES=1 STORE=postgresql://…)
	@Scripts/run.sh "$(PORT)" "$(DATA)" "$(SAMPLES)" "$(STORE)"

run-cluster: ## Serve them by two processes over a PostgreSQL in DATA, with a standby and PgBouncer (PORT=8080 DATA=Data SAMPLES=1)
	@Scripts/cluster.py --port "$(PORT)" --data "$(DATA)" $(if $(filter 0,$(SAMPLES)),--no-samples)

studio: ## Serve the studio for models and stores (FILES="Shop.xcdatamodeld Shop.sqlite" STUDIO_PORT=8082 WRITE=0)
	@Scripts/studio.sh "$(STUDIO_PORT)" "$(WRITE)" $(FILES)

test: ## Run every test: the framework, a user's package, the applications in a browser (FILTER= runs some)
	@Scripts/test.py "$(FILTER)"

check: ## Lint, build with warnings as errors, count the declared API and the instructions of ten operations
	@Scripts/check.sh

sanitize: ## Run the framework's tests under a sanitizer (SANITIZER=thread or address, FILTER= runs some)
	@Scripts/sanitize.py "$(or $(SANITIZER),thread)" "$(FILTER)"

fuzz: ## Fuzz all parsers of untrusted input, then longer property tests (MINUTES=10 CASES=100000 READERS=)
	@Scripts/fuzz.sh

faults: ## Put faults into a copy of the sources, one at a time, and check that a test finds each (FAULT= tries some)
	@Scripts/faults.py "$(FAULT)"

safety: ## Run every test of safety at full length: hours, resumable (STEP= runs some, AGAIN=1 all again)
	@Scripts/safety.py "$(STEP)"

bench: ## Compare speed with the SQLite C API, GRDB and libpq; writes Benchmarks/results.json and .svg (GROWTH=1 POSTGRESQL=0)
	@GROWTH="$(GROWTH)" POSTGRESQL="$(POSTGRESQL)" Scripts/bench.sh

docs: ## Build the documentation into .build-docs and serve it on 127.0.0.1 (DOCS_PORT=8081, SERVE=0)
	@Scripts/docs.sh "$(DOCS_PORT)"

load: ## Serve 200 simulated browsers while 50 changes a second are saved (DURATION=60 seconds, PANELS=0 STUDIOS=0)
	@Scripts/load.sh load "$(DURATION)" "$(PANELS)" "$(STUDIOS)"

long-run: ## Serve 200 simulated browsers with imports and migrations, and plot memory and latency (DURATION=60 seconds)
	@Scripts/load.sh long_run "$(DURATION)"

format: ## Format all Swift sources
	@Scripts/sources.sh | xargs -0 swift format --in-place --configuration .swift-format

clean: ## Remove everything that was built
	rm -rf .build .build-* Examples/.build Studio/.build Benchmarks/.build
