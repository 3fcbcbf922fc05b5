// An instruction that is reserved.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault ILLEGAL_INSTRUCTION pc 1
.kernel main
.arg global out
    NOP
    LDL.32 R0, [RZ]
    EXIT
