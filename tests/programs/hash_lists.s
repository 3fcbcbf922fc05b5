// A hash table of linked lists with a lock for each bucket; then every thread walks the list of its bucket.
// launch: grid 1 1 1 cta 48 1 1
// shows: TD-11 TD-16
// arg out global 384 zero
// arg shared global 68 zero
// arg counts global 192 zero
// expect counts: 6 x 48
//
// variant no_yield: without YIELD
// shows: TD-16
// deadline 60000
// hangs
.kernel main
.arg global out
.arg global shared
.arg global counts
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    LDC.32 R5, c[0][68]          // 8 buckets: lock, head
    AND R6, R0, 7
    SHL R6, R6, 3
    IADD R5, R5, R6
    MOV R6, 1
take:
    ATOMG.CAS R7, [R5], RZ, R6
    ISETP.EQ P0, R7, 0
    @P0 BRA inside
    YIELD
    BRA take
inside:
    LDG.32 R8, [R5 + 4]          // this thread goes in front: out[thread] = old head, head = thread + 1
    STG.32 [R3], R8
    IADD R9, R0, 1
    STG.32 [R5 + 4], R9
    MEMBAR
    ATOMG.XCHG RZ, [R5], RZ
    LDC.32 R10, c[0][68]
    ATOMG.ADD RZ, [R10 + 64], R6
all:
    LDG.32 R11, [R10 + 64]       // until all 48 threads have put themselves in
    ISETP.EQ P2, R11, 48
    @P2 BRA put
    YIELD
    BRA all
put:
    LDG.32 R8, [R5 + 4]          // walk the list of my bucket, count
    MOV R9, 0
    PBRK walked
walk:
    ISETP.EQ P1, R8, 0
    @P1 BRK
    IADD R9, R9, 1
    LDC.32 R10, c[0][64]
    ISUB R8, R8, 1
    SHL R8, R8, 2
    IADD R10, R10, R8
    LDG.32 R8, [R10]
    BRA walk
walked:
    LDC.32 R10, c[0][72]
    SHL R8, R0, 2
    IADD R10, R10, R8
    STG.32 [R10], R9
    EXIT
