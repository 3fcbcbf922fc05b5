// YIELD.NTH counts to 256 at most, so a larger number does not keep a thread waiting for ever.
// launch: grid 1 1 1 cta 3 1 1
// shows: TD-13 TD-16
// arg out global 384 zero
// arg shared global 8 zero
// expect out: 1 x 3
// expect shared: 0 3
.kernel main
.arg global out
.arg global shared
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    LDC.32 R5, c[0][68]          // lock, counter
    MOV R6, 1
take:
    ATOMG.CAS R7, [R5], RZ, R6
    ISETP.EQ P0, R7, 0
    @P0 BRA inside               // the others go round; those that have the lock wait in the deque
    YIELD.NTH 70000
    BRA take
inside:
    LDG.32 R8, [R5 + 4]
    IADD R9, R8, 1
    STG.32 [R5 + 4], R9
    MOV R10, 1
    STG.32 [R3], R10
    MEMBAR
    ATOMG.XCHG RZ, [R5], RZ
    EXIT
