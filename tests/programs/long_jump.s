// PLONGJMP and LONGJMP out of a loop inside an if, past the tokens of both.
// launch: grid 2 1 1 cta 48 1 1
// shows: TD-6 TD-8 TD-9
// arg out global 384 zero
// expect out: 10 901 12 903 14 905 16 907 18 909 20 911 22 913 24 915 26 917 28 919 30 921 32 923 34 925 36 927 38 929 40 931
// more: 42 933 44 935 46 937 48 939 50 941 52 943 54 945 56 947 58 949 60 951 62 953 64 955 66 957 68 959 70 961 72 963 74
// more: 965 76 967 78 969 80 971 82 973 84 975 86 977 88 979 90 981 92 983 94 985 96 987 98 989 100 991 102 993 104 995
.kernel main
.arg global out
    S2R R0, SR_TID_X
    S2R R1, SR_CTAID_X
    S2R R2, SR_NTID_X
    IMAD R0, R1, R2, R0          // thread of the grid
    LDC.32 R3, c[0][64]
    SHL R4, R0, 2
    IADD R3, R3, R4              // &out[thread]
    MOV R5, R0
    PLONGJMP handler
    AND R6, R0, 1
    ISETP.EQ P0, R6, 1
    SSY join
    @!P0 SYNC
    PBRK never
loop:
    IADD R5, R5, 300
    ISETP.GE P1, R5, 900
    @P1 LONGJMP
    BRA loop
never:
    MOV R5, -1
    SYNC
join:
    IADD R5, R5, 10
    LONGJMP
handler:
    ISETP.EQ P0, R6, 1
    @P0 IADD R5, R0, 900
    STG.32 [R3], R5
    EXIT
