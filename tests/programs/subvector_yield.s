// A lock taken inside a sequence: YIELD lets the warp's other threads go on, those of other portions too.
// launch: grid 2 1 1 cta 48 1 1
// shows: SV-7 TD-11
// arg out global 384 zero
// arg lock global 256 zero
// expect out: 1 x 96
// expect lock: 0 96 96
.kernel main
.arg global out
.arg global lock
    S2R R0, SR_TID_X
    S2R R2, SR_CTAID_X
    S2R R3, SR_NTID_X
    IMAD R4, R2, R3, R0          // thread of the grid
    SHL R5, R4, 2
    LDC.32 R6, c[0][64]
    IADD R5, R5, R6              // &out[thread]
    LDC.32 R7, c[0][68]
    MOV R8, 1
    SVSTART after
    SSY taken
try:
    ATOMG.CAS R10, [R7 + 0], RZ, R8
    ISETP.EQ P0, R10, 0
    @P0 BRA inside
    YIELD
    BRA try
inside:
    LDG.32 R11, [R7 + 4]         // guarded by the lock
    IADD R11, R11, 1
    STG.32 [R7 + 4], R11
    MEMBAR
    ATOMG.XCHG RZ, [R7 + 0], RZ
    ATOMG.ADD RZ, [R7 + 8], R8
    STG.32 [R5], R8
    SYNC taken
taken:
    SVEND
after:
    EXIT
