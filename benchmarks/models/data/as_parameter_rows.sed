# Rows of parameters of one model, behind which or before which there are others, as those of an array of C.
s/"/\\"/g
s/^[^,]*,([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),(.*)$/[\1] = {"\2", \3, \4, \5, \6, "\7", "\8", NULL},/
