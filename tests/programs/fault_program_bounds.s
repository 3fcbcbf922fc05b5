// The program runs past its end.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault PROGRAM_BOUNDS info 2 pc 2
.kernel main
.arg global out
    NOP
    NOP
