// A store past the end of the CTA's shared memory, by one thread of many: the memory has more, the CTA has not.
// launch: grid 2 1 1 cta 26 1 1
// arg out global 256 zero
// fault SHARED_BOUNDS info 100 pc 2
.kernel main
.shared_bytes 100
.arg global out
    S2R R0, SR_TID_X
    SHL R0, R0, 2
    STS.32 [R0], R0
    EXIT
