# The short commands. `make demo` and `make test` do all their own set-up, into ./node_modules, ./.venv, ./.cache and ./target only.
# Everything is built with --release and --workspace: one set of artefacts serves them all.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
export CARGO_TARGET_DIR := $(CURDIR)/target

NPM_STAMP := node_modules/.package-lock.json
PYTHON_STAMP := .venv/requirements.txt
BUILD := cargo build --release --locked --workspace
RUNS ?= 5
SECONDS_EACH ?= 120

.PHONY: help play demo games engines engine-games test check long sanitizer fuzz controls slither simulate bench compare leaks arena rows mutants vectors golden explorer size verifiers docs picture setup tools

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

play: $(NPM_STAMP) ## Play against the bot, on a local chain that ends with the game (ARGS="--no-prove --level easy")
	@$(BUILD)
	@target/release/fogmate solo $(ARGS)

demo: $(NPM_STAMP) ## Play a whole game on a local chain, then audit and replay it (ARGS=--cheat has one of them cheat)
	@$(BUILD)
	@target/release/fogmate demo $(ARGS)

games: $(NPM_STAMP) ## Play every game of test/data/games.jsonl like the demo
	@$(BUILD)
	@number=0; while read -r game; do number=$$((number + 1)); \
	  printf '%s\n' "$$game" > target/game-$$number.json; \
	  target/release/fogmate demo --script target/game-$$number.json --json target/game-$$number-report.json; \
	done < test/data/games.jsonl

engines: $(NPM_STAMP) ## Play the demo with each engine that proves nothing, and compare the game
	@FOGMATE_ENGINES=1 cargo test --release --locked --workspace --test all game::demo::the_demo_plays_the_same_game_with -- --nocapture --test-threads 1

engine-games: $(NPM_STAMP) ## Play a whole game with each engine, and write docs/src/engine-games.md: hours with all (ARGS="bfv emanant")
	@$(BUILD)
	@python3 test/engine_games.py $(ARGS)

test: setup ## Run every check there is; the last line counts them
	@python3 test/run.py

check: setup ## Only what is quick: formats, lints, docs
	@python3 test/run.py rust-format rust-lints contracts-format contracts-lints rust-docs docs

sanitizer: ## Test the unsafe code of lanes under AddressSanitizer, where there is a nightly toolchain, and under Miri, where that is
	@python3 test/run.py sanitizer miri

long: $(NPM_STAMP) ## Take hours: every drawn case of the tests, all mutants, fuzzing, whole games with each engine, 10,000 drawn games
	@FOGMATE_LONG=1 python3 test/run.py rust-tests explorer miri fuzz
	@$(MAKE) mutants controls engines games engine-games leaks slither
	@$(MAKE) simulate GAMES=10000

fuzz: $(NPM_STAMP) ## Fuzz each reader of others' bytes for a minute, from the corpus that is kept (SECONDS_EACH=60, ARGS="--keep link")
	@python3 test/fuzz/run.py $(ARGS)

controls: $(NPM_STAMP) ## Take out each rule of the contracts, and of a client between the machines: the tests find the attack
	@python3 contracts/controls.py
	@python3 client/controls.py

slither: $(NPM_STAMP) target/slither/.done ## Have Slither look at the contracts: each finding is explained in contracts/findings.py, or fails
	@target/slither/bin/python contracts/findings.py

target/slither/.done: contracts/findings.txt
	@python3 -m venv target/slither && target/slither/bin/pip install --quiet --disable-pip-version-check -r $< && touch $@

simulate: ## Play drawn games in bad weather until one breaks a promise (GAMES=10000 or MINUTES=M, SEED=S; GAME=N plays that one)
	@$(BUILD) --bin simulate
	@target/release/simulate

bench: $(NPM_STAMP) ## Measure proofs, demo games and engines, and write docs/src/performance-data.md, engines-data.md and target/bench.json (RUNS=5)
	@$(BUILD) --examples --bins
	@python3 test/bench.py --runs $(RUNS) --seconds $(SECONDS_EACH)

compare: $(NPM_STAMP) ## Measure every engine on the same positions, and write docs/src/engines-data.md and its picture (SECONDS_EACH=120 at most)
	@$(BUILD) --examples --bins
	@python3 test/bench.py --engines-only --seconds $(SECONDS_EACH)

leaks: $(NPM_STAMP) ## Measure what an observer of a sight is told beyond it, and write docs/src/leaks.md: fails if a control isn't found (SECONDS_EACH=120 an engine)
	@$(BUILD) --examples
	@python3 test/leaks.py --seconds $(SECONDS_EACH) $(ARGS)

arena: ## Play the bot against simpler players and itself, and write docs/src/bot-data.md
	@$(BUILD) --examples
	@target/release/examples/arena --table > target/bot-data.md
	@mv target/bot-data.md docs/src/bot-data.md

rows: ## Print each circuit's rows by part, its columns and lookups (ARGS=--json)
	@$(BUILD) --examples
	@target/release/examples/rows $(ARGS)

mutants: ## Leave out each constraint of each circuit, then change each number of their sources by one: fails if nobody notices (ARGS="--file turn/view --every 20")
	@FOGMATE_MUTANTS=all cargo test --release --locked --workspace --lib -- mutants_die --nocapture --test-threads 1
	@python3 circuits/mutants.py $(ARGS)

vectors: ## Compare test/data with the oracles, and make the sight vectors afresh
	@python3 test/vectors.py

golden: $(NPM_STAMP) ## Write test/data/golden anew from this program, when a format is changed on purpose; tests compare it
	@FOGMATE_GOLDEN=write cargo test --release --locked --workspace --test all golden

explorer: $(NPM_STAMP) ## Build the audit page, explorer/dist, which the program carries
	@node explorer/build.mjs

size: ## Print the lines of each crate against its ceiling, and the longest functions
	@python3 test/size.py

verifiers: $(NPM_STAMP) ## Generate the Solidity verifiers again, and the real proofs of the contracts' tests
	@$(BUILD) --examples
	@target/release/examples/generate verifiers
	@target/release/examples/generate turns
	@target/release/examples/generate tag
	@target/release/examples/ship_code

docs: $(NPM_STAMP) ## Build docs/book and check all links
	@node docs/build.js

picture: $(NPM_STAMP) ## Record a game on the full screen in tmux, and write docs/src/game.svg and docs/src/board.svg
	@$(BUILD)
	@python3 docs/picture.py

setup: tools $(NPM_STAMP) $(PYTHON_STAMP)

# One sentence for each thing that only the user can install.
tools:
	@for tool in cargo:Rust node:Node npm:Node python3:'Python 3' cc:'a C compiler'; do \
	  command -v "$${tool%%:*}" > /dev/null || { echo "Fogmate needs $${tool#*:}: there is no \`$${tool%%:*}\`." >&2; exit 1; }; \
	done

$(NPM_STAMP): package.json package-lock.json | tools
	@npm ci --no-progress
	@touch $@

# The libraries of the oracle of rules. The test that uses them says itself if they are missing.
$(PYTHON_STAMP): test/requirements.txt
	@{ python3 -m venv .venv && .venv/bin/python3 -m pip install --quiet --disable-pip-version-check --require-hashes -r $< && cp $< $@; } \
	  || echo "The libraries of the Python oracles could not be installed; tests that need them will not run." >&2
