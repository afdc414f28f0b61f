# Rows of numbers as those of an array of C. Lines that begin with # say where they are from.
/^#/d
s/$/,/
