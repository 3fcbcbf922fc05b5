// The same without YIELD: the consumers spin, the producers wait in the deque for ever.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-16
// arg out global 384 zero
// arg shared global 384 zero
// deadline 60000
// hangs
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
    LDC.32 R5, c[0][68]          // flag, value of each pair
    SHR R6, R0, 1
    SHL R6, R6, 3
    IADD R5, R5, R6
    AND R7, R0, 1
    SSY join
    ISETP.EQ P0, R7, 0
    @P0 BRA producer
consumer:
    LDG.32 R8, [R5]
    ISETP.NE P1, R8, 0
    @P1 SYNC join                // where to go when the token is gone
    BRA consumer
producer:
    IADD R8, R0, 1000
    STG.32 [R5 + 4], R8
    MEMBAR
    MOV R9, 1
    STG.32 [R5], R9
    SYNC join
join:
    LDG.32 R9, [R5 + 4]
    STG.32 [R3], R9
    EXIT
