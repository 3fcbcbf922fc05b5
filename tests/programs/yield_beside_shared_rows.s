// A task with shared rows: outside of a sequence its threads have registers of their own, and YIELD lets others go first.
// launch: grid 2 1 1 cta 48 1 1
// shows: SV-4 TD-11 TD-16
// arg out global 384 zero
// arg shared global 384 zero
// expect out: 1000 x 2 1002 x 2 1004 x 2 1006 x 2 1008 x 2 1010 x 2 1012 x 2 1014 x 2 1016 x 2 1018 x 2 1020 x 2 1022 x 2
// more: 1024 x 2 1026 x 2 1028 x 2 1030 x 2 1032 x 2 1034 x 2 1036 x 2 1038 x 2 1040 x 2 1042 x 2 1044 x 2 1046 x 2 1048 x 2
// more: 1050 x 2 1052 x 2 1054 x 2 1056 x 2 1058 x 2 1060 x 2 1062 x 2 1064 x 2 1066 x 2 1068 x 2 1070 x 2 1072 x 2 1074 x 2
// more: 1076 x 2 1078 x 2 1080 x 2 1082 x 2 1084 x 2 1086 x 2 1088 x 2 1090 x 2 1092 x 2 1094 x 2
//
// variant no_yield: without YIELD
// The consumers spin, the producers wait in the deque for ever.
// shows: TD-16
// deadline 60000
// hangs
.kernel main
.arg global out
.arg global shared
.registers 16
.shared_rows 8
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
    SVSTART after
    IADD R8, R0, 1000            // R8 is shared
    MOV R4, R8
    SVEND
after:
    SSY join
    ISETP.EQ P0, R7, 0
    @P0 BRA producer
consumer:
    LDG.32 R2, [R5]
    ISETP.NE P1, R2, 0
    @P1 SYNC join
    YIELD
    BRA consumer
producer:
    STG.32 [R5 + 4], R4
    MEMBAR
    MOV R1, 1
    STG.32 [R5], R1
    SYNC join
join:
    LDG.32 R1, [R5 + 4]
    STG.32 [R3], R1
    EXIT
