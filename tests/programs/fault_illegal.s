// A word that is no instruction, under a guard that is false.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault ILLEGAL_INSTRUCTION info 0x000000FF pc 1
.kernel main
.arg global out
    NOP
    .word 0xFF
    EXIT
