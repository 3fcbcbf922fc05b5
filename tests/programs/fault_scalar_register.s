// A scalar register that does not exist.
// launch: grid 1 1 1 cta 48 1 1
// fault REGISTER_BOUNDS pc 0
.kernel main
    SMOV S16, 1
    EXIT
