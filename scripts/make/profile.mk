# Simulated RTL that is compiled by how it runs. A cycle comes to a small part of Verilator's C++ (15 MB of code for full), and the compiler cannot know
# to which: with a profile it puts the rest out of the way. The profile counts by the names and the shape of functions, so of a changed RTL it
# knows less, and nothing of it is wrong.
PROFILE_KERNELS ?= "sgemm tiled" reduction "histogram local" Mandelbrot "spin lock"

.PHONY: profile
profile: ## simulate the RTL faster: compile it by how it runs kernels (a few minutes; again when the RTL has changed much)
	+@$(MAKE) --no-print-directory BUILD=$(BUILD)/profile COUNTS=1 RTL_OPT=-O1 $(BUILD)/profile/kernel-bench
	@rm -f $(BUILD)/profile/*.counts
	@for config in $(CONFIGS); do echo "profile of $$config"; \
	    LLVM_PROFILE_FILE=$(abspath $(BUILD))/profile/$$config.counts $(BUILD)/profile/kernel-bench --config $$config $(PROFILE_KERNELS) > /dev/null || exit 1; done
	@mkdir -p $(BUILD)/rtl
	@$(RTL_CXX:clang++%=llvm-profdata%) merge -o $(BUILD)/rtl/profile.data $(BUILD)/profile/*.counts
	+@$(MAKE) --no-print-directory all
