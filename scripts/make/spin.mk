# The adding protocol of PPU-owned work queues for the model checker spin.
.PHONY: spin
spin: ## check the protocol of PPU-owned work queues (spin)
	scripts/run-spin --work $(BUILD)/spin
