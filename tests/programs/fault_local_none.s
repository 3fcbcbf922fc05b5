// A kernel that asks for no local memory has none.
// launch: grid 2 1 1 cta 48 1 1
// arg out global 256 zero
// fault LOCAL_BOUNDS info 0 pc 0
.kernel main
.arg global out
    STL.U8 [RZ], RZ
    EXIT
