// A jump out of the program.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault PROGRAM_BOUNDS info 0x3FFFFF pc 0x3FFFFF
.kernel main
.arg global out
    BRA -2
    EXIT
