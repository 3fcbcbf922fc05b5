// A load of 16 bytes that begins inside and ends outside; the byte before may be read.
// launch: grid 2 1 1 cta 26 1 1
// arg out global 256 zero
// fault SHARED_BOUNDS info 96 pc 2
.kernel main
.shared_bytes 111
.arg global out
    LDS.U8 R1, [RZ + 110]
    LDS.128 R4, [RZ + 80]
    LDS.128 R4, [RZ + 96]
    EXIT
