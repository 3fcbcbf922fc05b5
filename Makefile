# Tandem. `make help` tells what there is to make. Everything that is built goes to $(BUILD).
VERSION := 0.1.0
BUILD ?= build
PYTHON ?= python3
DEVICE ?= tandem:small
PHOTO ?=
SEED ?=
CC = gcc
CXX = g++
MAKEFLAGS += --no-builtin-rules
# As many jobs as there are processors, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

include scripts/make/sources.mk
include scripts/make/rtl.mk
include scripts/make/c.mk
include scripts/make/opencl.mk
include scripts/make/install.mk
include scripts/make/examples.mk
include scripts/make/fuzz.mk
include scripts/make/formal.mk
include scripts/make/tests.mk
include scripts/make/more.mk
include scripts/make/suites.mk
include scripts/make/bench.mk
include scripts/make/profile.mk
include scripts/make/netlist.mk
include scripts/make/long.mk
include scripts/make/mutate.mk
include scripts/make/coverage.mk
include scripts/make/lint.mk
include scripts/make/docs.mk
include scripts/make/synth.mk
include scripts/make/fpga.mk
include scripts/make/spin.mk

.PHONY: all help setup demo test bench trace clean
all: $(BUILD)/tandem $(BUILD)/equalize $(BUILD)/nested ## build the command line tool, the demo and the simulated RTL (this is also plain `make`)

help: ## this list
	@scripts/make-help

setup: ## install what is needed (Debian packages; root or sudo)
	@scripts/setup

demo: ## set up, build, equalize a photograph on DEVICE and check it
	@scripts/setup
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory run-demo

.PHONY: run-demo
run-demo: $(BUILD)/equalize $(if $(PHOTO),,$(BUILD)/photograph.pgm)
	$(BUILD)/equalize --device $(DEVICE) $(if $(SEED),--seed $(SEED)) $(or $(PHOTO),$(BUILD)/photograph.pgm) $(BUILD)/equalized.pnm

$(BUILD)/photograph.pgm: scripts/photograph
	@mkdir -p $(BUILD)
	scripts/photograph $@

clean: ## remove what was built
	rm -rf $(BUILD)
