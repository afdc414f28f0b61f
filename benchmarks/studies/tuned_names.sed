# tuned_names.sed - the constants of such headers, a row of C each.
/RSD_(USUAL_ITERATIONS|WORST_RATE|MAX_ITERATIONS|MAX_TO_ROUNDING|LITTLE|NOTHING|RENEWAL_RATE) /d
s/^#define RSD_([A-Z_]+) +([0-9][0-9.e+-]*).*/ROW("\1", \2)/p
