# Proofs: units of the RTL by Yosys and berkeley-abc (tests/formal/*.sv), models of protocols by spin (tests/formal/*.pml).
.PHONY: formal
formal: $(GEN) ## proofs of RTL units, each with broken copies that must be refuted; models of protocols
	scripts/prove $(BUILD)
	$(if $(wildcard tests/formal/*.pml),scripts/run-spin --work $(BUILD)/spin)



