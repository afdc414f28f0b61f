# Converts the lines of a file to C strings.
s/[\\"]/\\&/g
s/^/"/
s/$/\\n",/
