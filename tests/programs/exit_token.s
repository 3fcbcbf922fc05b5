// PEXIT: threads that exit in different places meet once more at its label; the second EXIT ends them.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-6 TD-9 TD-10
// arg out global 384 zero
// expect out: 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005
// more: 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007
// more: 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006
// more: 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005 1006 1007 1005
// more: 1006 1007 1005 1006 1007
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    PEXIT last
    UMULHI R5, R0, 0x55555556
    IMUL R5, R5, 3
    ISUB R5, R0, R5
    MOV R6, 5
    ISETP.EQ P0, R5, 0
    @P0 EXIT
    MOV R6, 6
    SSY join
    ISETP.EQ P1, R5, 1
    @!P1 SYNC
    EXIT
join:
    MOV R6, 7
    EXIT
last:
    IADD R6, R6, 1000
    STG.32 [R3], R6
    EXIT
