# Converts the lines of a file, except comment lines, to one C string.
/^\/\*.*\*\/$/d
s/[\\"]/\\&/g
s/^/"/
s/$/\\n"/
