// FRND with a mod that is no rounding.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault ILLEGAL_INSTRUCTION pc 1
.kernel main
.arg global out
    FRND.RTN R0, R0
    .word 0x0000000040000747
    EXIT
