// A switch by repeated branches: groups of threads for each case, one falls through, all meet.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-7 TD-8 TD-18
// arg out global 384 zero
// expect out: 100 211 202 403 1003 1004 1005 1006 108 219 210 411 1011 1012 1013 1014 116 227 218 419 1019 1020 1021 1022 124
// more: 235 226 427 1027 1028 1029 1030 132 243 234 435 1035 1036 1037 1038 140 251 242 443 1043 1044 1045 1046 148 259 250
// more: 451 1051 1052 1053 1054 156 267 258 459 1059 1060 1061 1062 164 275 266 467 1067 1068 1069 1070 172 283 274 475 1075
// more: 1076 1077 1078 180 291 282 483 1083 1084 1085 1086 188 299 290 491 1091 1092 1093 1094
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    AND R5, R0, 7
    MOV R6, 0
    SSY end
    ISETP.EQ P0, R5, 0
    @P0 BRA case0
    ISETP.EQ P0, R5, 1
    @P0 BRA case1
    ISETP.EQ P0, R5, 2
    @P0 BRA case2
    ISETP.EQ P0, R5, 3
    @P0 JMP case3
    MOV R6, 999
    SYNC
case0:
    MOV R6, 100
    SYNC
case1:
    IADD R6, R6, 10              // goes on with the next case
case2:
    IADD R6, R6, 200
    SYNC
case3:
    MOV R6, 400
    SYNC
end:
    IADD R6, R6, R0
    STG.32 [R3], R6
    EXIT
