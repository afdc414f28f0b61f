/* option_impl.h - a line of a table of options: besides what resida/option.h shows, where the value is, what it is by
 * default, its range, and when it has no effect. Defaults, checks of ranges, and the refusal of what was set and would
 * have no effect, are made of it (option_check.c): an option takes its member in a header, its line in the table of
 * that struct, and the code that obeys it. The tables: problem_options.c, src/start/start_options.c,
 * src/solver/solver_options.c. */
#ifndef RSD_OPTION_IMPL_H
#define RSD_OPTION_IMPL_H

#include <resida/option.h>

#include <stddef.h>

#include "problem_impl.h"

/** The type of the member; an enum is an int. */
typedef enum rsd_option_kind { RSD_REAL, RSD_INT, RSD_LONG, RSD_WORD, RSD_POINTER } rsd_option_kind;

typedef struct rsd_range {
    const char *text;   /* "must be ..." */
    double least, most; /* NaN is in none */
    int above, below;   /* 1: the least, the most value is not allowed itself */
} rsd_range;

/** Ranges of several tables. */
extern const rsd_range rsd_above_0, rsd_amount, rsd_open_part, rsd_on_off, rsd_first_two, rsd_first_three;

/** Options as they were handed over. */
typedef struct rsd_option_case {
    const resida_problem *problem; /* with its layout and kinds */
    const void *options;           /* the struct that they are members of, in range */
    const char *strategy;          /* of a solver, "auto" resolved; NULL: not known yet */
} rsd_option_case;

typedef struct rsd_option {
    resida_option told;
    unsigned forms, methods; /* traits, one of which a form, a method has with which it has an effect; 0: all */
    rsd_option_kind kind;
    size_t offset;
    double usual; /* the default; of pointers NULL */
    const char *usual_word;
    const rsd_range *range;                   /* NULL: of words and pointers, or any number */
    const char *const *value_names;           /* of an enum, for messages */
    int (*is_idle)(const rsd_option_case *c); /* it has no effect, as `when` says; NULL: not looked at */
} rsd_option;

/** Forms, or methods, that have a name together. */
typedef struct rsd_title {
    unsigned traits;
    const char *text;
} rsd_title;

/** The names of forms, or of methods. */
typedef struct rsd_names {
    const char *one;                         /* "form" */
    const char *(*at)(int i);                /* NULL behind the last one */
    unsigned (*traits_of)(const char *name); /* 0: no such name */
    const rsd_title *titles;                 /* closed by a text that is NULL */
} rsd_names;

/** The options of a struct. */
typedef struct rsd_options {
    const rsd_option *lines;
    int n;
    const rsd_names *methods; /* NULL: no line asks for one */
} rsd_options;
extern const rsd_options rsd_problem_table;

/** 1: has an effect with that form, that method; NULL: not asked. */
int rsd_option_fits(const rsd_option *o, const rsd_names *methods, const char *form, const char *method);

/** With what it has an effect, in words. */
void rsd_option_text(const rsd_option *o, const rsd_names *methods, char *text, size_t size);

/** Write the defaults of all members but `size`. */
void rsd_option_defaults(const rsd_options *table, void *options);

/** RESIDA_ERR_OPTION: a number is out of its range. */
resida_status rsd_option_ranges(const rsd_options *table, const void *options, resida_message *why);

/** RESIDA_ERR_OPTION: an option is set to something other than its default, and has no effect. method: NULL: not
 *  asked. */
resida_status rsd_option_effects(const rsd_options *table, const rsd_option_case *c, const char *method,
                                 resida_message *why);

#endif
