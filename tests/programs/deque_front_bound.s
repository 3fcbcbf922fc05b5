// Calls nested deeper than half the entries of the smallest deque, to a depth of its own for each thread: the tokens are moved to the middle meanwhile.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-1 TD-15
// arg out global 384 zero
// expect out: 30000 31001 32002 33003 34004 35005 36006 37007 38008 39009 40010 41011 42012 43013 44014 45015 30016 31017
// more: 32018 33019 34020 35021 36022 37023 38024 39025 40026 41027 42028 43029 44030 45031 30032 31033 32034 33035
// more: 34036 35037 36038 37039 38040 39041 40042 41043 42044 43045 44046 45047 30048 31049 32050 33051 34052 35053
// more: 36054 37055 38056 39057 40058 41059 42060 43061 44062 45063 30064 31065 32066 33067 34068 35069 36070 37071
// more: 38072 39073 40074 41075 42076 43077 44078 45079 30080 31081 32082 33083 34084 35085 36086 37087 38088 39089
// more: 40090 41091 42092 43093 44094 45095
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    AND R5, R0, 15
    IADD R5, R5, 30
    MOV R6, 0
    CAL R10, deeper
    BAR                          // faults unless the whole warp has met
    MOV R7, 1000
    IMAD R6, R6, R7, R0
    STG.32 [R3], R6
    EXIT
deeper:
    ISETP.EQ P0, R5, 0
    @P0 RET R10
    ISUB R5, R5, 1
    CAL R10, deeper
    IADD R6, R6, 1
    RET R10
