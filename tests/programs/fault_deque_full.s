// A call nested deeper than the deque allows ends with a fault.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-15
// arg out global 4 zero
// fault DEQUE_FULL pc 8
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    CAL R10, self
self:
    CAL R10, self
