// An atomic in a task that has asked for no shared memory.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault SHARED_BOUNDS info 0 pc 0
.kernel main
.arg global out
    ATOMS.ADD R0, [RZ], RZ
    EXIT
