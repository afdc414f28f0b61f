# Lines of a file as one text of C, but for those that are comments.
/^\/\*.*\*\/$/d
s/[\\"]/\\&/g
s/^/"/
s/$/\\n"/
