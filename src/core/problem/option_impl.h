/* option_impl.h - tables of options. An entry contains the public description (resida/option.h), the offset of the
 * value, its default and range, and the conditions under which the option has an effect. The defaults, the range
 * checks, and the rejection of options without effect are derived from the tables (option_check.c). A new option needs
 * a member in a header, an entry in the table of that struct, and the code that uses it. The tables are in
 * problem_options.c, src/core/start/start_options.c and src/core/solver/solver_options.c. */
#ifndef RSD_OPTION_IMPL_H
#define RSD_OPTION_IMPL_H

#include <resida/option.h>

#include <stddef.h>

#include "problem_impl.h"

/** Type of an option; RSD_INT also of an enum, which is stored as an int. RSD_WORD is a string. */
typedef enum rsd_option_kind { RSD_REAL, RSD_INT, RSD_LONG, RSD_WORD, RSD_POINTER } rsd_option_kind;

/** Valid range of a number. */
typedef struct rsd_range {
    const char *text; /* text of the range in messages, after "must be " */
    double min, max;  /* lower bound and upper bound; NaN is in no range */
    int above, below; /* 1: the lower bound is excluded; 1: the upper bound is excluded */
} rsd_range;

/** Ranges of several options. */
extern const rsd_range rsd_above_0, rsd_at_least_0, rsd_amount, rsd_open_part, rsd_on_off, rsd_first_two,
    rsd_first_three;

/** Options of a caller, and the problem to which they apply. */
typedef struct rsd_option_case {
    const resida_problem *problem; /* problem with its layout and kinds */
    const void *options;           /* the option struct, with values in range */
    const char *strategy;          /* name of the method of a solver; NULL: unknown yet */
} rsd_option_case;

/** Option: its description, type, default and range. */
typedef struct rsd_option {
    resida_option about;            /* public description of the option: name, struct and conditions */
    unsigned forms, methods;        /* traits of forms and methods with which the option has an effect; 0: all */
    rsd_option_kind kind;           /* type of the option */
    int may_change;                 /* 1: the option may change between two calls without a restart */
    size_t offset;                  /* position in the option struct [bytes] */
    double usual;                   /* default of a number; the default of a pointer is NULL */
    const char *usual_word;         /* default of a word */
    const rsd_range *range;         /* valid range of a number; NULL: all numbers, or the option is no number */
    const char *const *value_names; /* valid words, or names of an enum, ended by NULL; NULL: any word */
    int condition;                  /* number of a condition, for is_met() of the table; 0: no condition */
} rsd_option;

/** Common name of all forms, or of all methods, with certain traits, such as "forms with constraints". */
typedef struct rsd_title {
    unsigned traits;  /* traits that the common name stands for */
    const char *text; /* common name in messages */
} rsd_title;

/** Names and traits of all forms, or of all methods. */
typedef struct rsd_names {
    const char *one;                         /* "form" or "method" */
    const char *(*at)(int i);                /* function that returns name i, or NULL after the last one */
    unsigned (*traits_of)(const char *name); /* function that returns the traits of a name; 0: unknown name */
    const rsd_title *titles;                 /* common names; the last one has the text NULL */
} rsd_names;

/** Table of the options of a struct. */
typedef struct rsd_options {
    const rsd_option *lines;                                /* [n] options */
    int n;                                                  /* number of options */
    const rsd_names *methods;                               /* names of methods; NULL: no option depends on a method */
    int (*is_met)(const rsd_option_case *c, int condition); /* returns 1 if the condition holds; NULL: no conditions */
} rsd_options;
extern const rsd_options rsd_problem_table;
extern const char *const rsd_projection_names[]; /* names of the projections, in the order of rsd_projection_kind */

/** Return 1 if the option has an effect with the form and the method. If a name is NULL, it is not checked. */
int rsd_option_has_effect(const rsd_option *o, const rsd_names *methods, const char *form, const char *method);

/** Write the forms, methods and conditions with which the option has an effect to text [size]. */
void rsd_option_format_conditions(const rsd_option *o, const rsd_names *methods, char *text, size_t size);

enum { RSD_OPTION_VALUE = 64 }; /* size of a text with the value of an option */

/** Write a number, or the value of an option, as text. The digits are sufficient to recover the number exactly. */
void rsd_format_number(double x, char text[RSD_OPTION_VALUE]);
void rsd_option_format_value(const rsd_option *o, const void *options, char text[RSD_OPTION_VALUE]);

/** Set all members of an option struct except `size` to their defaults. */
void rsd_option_set_defaults(const rsd_options *table, void *options);

/** Return the index of the name in a list that ends with NULL, or -1 if the list does not contain the name. */
int rsd_find_name(const char *const *names, const char *name);

/** Return RESIDA_ERR_OPTION if a number is outside its range, or if a word is NULL or not a valid name. */
resida_status rsd_option_check_ranges(const rsd_options *table, const void *options, resida_message *why);

/** Return RESIDA_ERR_OPTION if an option differs from its value in the struct `before` although it may not change. */
resida_status rsd_option_check_changes(const rsd_options *table, const void *before, const void *options,
                                       resida_message *why);

/** Return RESIDA_ERR_OPTION if an option differs from its default but has no effect. method may be NULL. */
resida_status rsd_option_check_effects(const rsd_options *table, const rsd_option_case *c, const char *method,
                                       resida_message *why);

#endif
