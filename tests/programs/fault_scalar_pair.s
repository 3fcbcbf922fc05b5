// VOTE writes a pair: its register must be even.
// launch: grid 1 1 1 cta 48 1 1
// fault REGISTER_BOUNDS pc 1
.kernel main
    NOP
    VOTE S3
    EXIT
