# Rows of a file of published numbers as rows of C; an empty cell is NONE. Lines that begin with # say where they are from.
/^#/d
s/,,/,NONE,/g
s/,,/,NONE,/g
s/,$/,NONE/
s/^\(.*\)$/ROW(\1)/
