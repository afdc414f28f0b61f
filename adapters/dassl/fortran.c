/* fortran.c - see fortran.h. Text without a listed phrase is copied unchanged. */
#include "fortran.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CURE                                                                                                           \
    "if a component is of index 2, raise its RTOL and ATOL (INFO(2) = 1); if RES jumps, set TSTOP and TOUT there, "    \
    "and "                                                                                                             \
    "restart (INFO(1) = 0)"

/** A phrase of the library, and its replacement. */
typedef struct phrase {
    const char *ours, *theirs;
} phrase;

/* If phrases have the same beginning, the longest one is first. */
static const phrase phrases[] = {
    {"if the index is 2 or 3 (higher ones are not supported), give kinds; if F jumps, give a root function", CURE},
    {"kinds may be wrong, or the index above 3 (not supported); if F jumps, give a root function", CURE},
    {"if a force jumps, as in dry friction, give a root function and a mode that sticks, or smooth the jump",
     "smooth the jump in RES"},
    {"give yp0, or a better y0", "give YPRIME, with INFO(11) = 0, or a better Y"},
    {"give yp0", "give YPRIME, with INFO(11) = 0"},
    {"which is declared differential,", "which INFO(11) = 1 keeps,"},
    {"correct y0, declare the component algebraic, or add its derivative to F; RESIDA_DIFFERENTIAL is 0 and "
     "RESIDA_ALGEBRAIC 1, the opposite of the ids of IDA",
     "give a consistent Y; DDASPK changes the components that IWORK declares algebraic"},
    {"y0 and yp0 are not consistent", "Y and YPRIME are not consistent"},
    {"its change due to the tolerances of y and a thousandth of yp: correct them, or omit yp0",
     "its change due to the tolerances of Y and a thousandth of YPRIME: correct them, or set INFO(11) = 1"},
    {"a jacobian of the model", "JAC"},
    {"callback residual returned -1", "RES has set IRES = -2"},
    {"callback residual", "RES"},
    {"callback jacobian", "JAC"},
    {"callback root", NULL}, /* G or RT */
    {"atol", "ATOL"},
};

/** Names of arrays of the library before an index, and the names in the program. */
static const phrase arrays[] = {{"yp0[", "YPRIME("}, {"yp[", "YPRIME("}, {"y0[", "Y("}, {"y[", "Y("}, {"F[", "DELTA("}};

/** A text under construction. */
typedef struct line {
    das_line *to;
    size_t used;
} line;

static void append_text(line *l, const char *text, size_t n)
{
    const size_t left = sizeof l->to->text - 1 - l->used;
    if (n > left) n = left;
    memcpy(l->to->text + l->used, text, n);
    l->used += n;
}

static void append_words(line *l, const char *text)
{
    append_text(l, text, strlen(text));
}

/* Append the number at `at`, plus one. @return the position after the number */
static const char *append_index(line *l, const char *at)
{
    char text[24];
    char *end;
    snprintf(text, sizeof text, "%ld", strtol(at, &end, 10) + 1);
    append_words(l, text);
    return end;
}

/* Append an array name with its index, or "component 3". @return the position after it; NULL for any other text */
static const char *append_component(line *l, const char *at)
{
    static const char component[] = "component ";
    const size_t n = sizeof component - 1;
    if (strncmp(at, component, n) == 0 && isdigit((unsigned char)at[n])) {
        append_words(l, component);
        return append_index(l, at + n);
    }
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const size_t length = strlen(arrays[i].ours);
        if (strncmp(at, arrays[i].ours, length) != 0) continue;
        append_words(l, arrays[i].theirs);
        at = append_index(l, at + length);
        append_words(l, ")");
        return at + (*at == ']');
    }
    return NULL;
}

static const char *append_phrase(const das_integration *x, line *l, const char *at)
{
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        const size_t n = strlen(phrases[i].ours);
        if (strncmp(at, phrases[i].ours, n) != 0) continue;
        append_words(l, phrases[i].theirs ? phrases[i].theirs : das_traits_of[x->routine].root);
        return at + n;
    }
    return NULL;
}

/* Append "T = " for "t = ", with the sign of tau changed to that of T. @return the position after "t = " and its sign;
 * NULL if the text begins otherwise */
static const char *append_time(line *l, int direction, const char *at)
{
    static const char t[] = "t = ";
    if (strncmp(at, t, sizeof t - 1) != 0) return NULL;
    at += sizeof t - 1;
    append_words(l, "T = ");
    if (direction > 0) return at;
    if (*at == '-') return at + 1;
    if (strtod(at, NULL) > 0) append_words(l, "-");
    return at;
}

/* Replace the message about a refused step if a sign of Y, and not RES, was the reason. */
static const char *append_sign_message(const das_integration *x, line *l, const char *at)
{
    static const char refused[] = "callback residual refused every step size";
    if (x->ires == -1 || !x->is_nonnegative || strncmp(at, refused, sizeof refused - 1) != 0) return NULL;
    append_words(l, "Y would be below 0 (INFO(10)) at every step size");
    return at + sizeof refused - 1;
}

void das_translate_message(const das_integration *x, const char *ours, das_line *theirs)
{
    line l = {.to = theirs};
    for (const char *at = ours; *at;) {
        const int is_word = at == ours || !isalnum((unsigned char)at[-1]);
        const char *next = is_word ? append_sign_message(x, &l, at) : NULL;
        if (!next && is_word) next = append_phrase(x, &l, at);
        if (!next && is_word) next = append_component(&l, at);
        if (!next && is_word) next = append_time(&l, x->direction, at);
        if (!next) append_text(&l, at, 1);
        at = next ? next : at + 1;
    }
    theirs->text[l.used] = 0;
}
