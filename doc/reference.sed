# For the reference of the public headers (doc/Doxyfile): the comment that a header opens with becomes its page, words
# and columns as they stand.
1s,^/\* \(resida/[a-z]*\.h\) - ,/** @file \1\n@verbatim\n,
0,/\*\//s,^ \*\( \|$\),,
0,/\*\//s,\*/,\n@endverbatim */,
