# Rows of parameters of one model, all other lines empty, as C: the enumeration of their numbers, and their array.
1i\
enum {
/./{
  s/"/\\"/g
  H
  s/^[^,]*,([^,]*),.*$/    \1,/p
}
${
  x
  s/\n[^,]*,([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^,]*),([^\n]*)/\n    [\1] = {"\2", \3, \4, \5, \6, "\7", "\8", NULL},/g
  s/^/    N_PARAMETERS\n};\nstatic const resida_parameter parameters[N_PARAMETERS] = {/
  s/$/\n};/p
}
