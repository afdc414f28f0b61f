# Lines of a file as texts of C.
s/[\\"]/\\&/g
s/^/"/
s/$/\\n",/
