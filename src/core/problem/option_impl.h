/* option_impl.h - a line of a table of options: the public description of resida/option.h, the offset of the
 * value, its default and range, and when it has no effect. Defaults, checks of ranges, and the refusal of an option
 * without effect follow from it (option_check.c): a new option needs its member in a header, its line in the table of
 * that struct, and the code that uses it. The tables: problem_options.c, src/core/start/start_options.c,
 * src/core/solver/solver_options.c. */
#ifndef RSD_OPTION_IMPL_H
#define RSD_OPTION_IMPL_H

#include <resida/option.h>

#include <stddef.h>

#include "problem_impl.h"

/** The type of the member; an enum is an int. */
typedef enum rsd_option_kind { RSD_REAL, RSD_INT, RSD_LONG, RSD_WORD, RSD_POINTER } rsd_option_kind;

typedef struct rsd_range {
    const char *text;   /* "must be ..." */
    double least, most; /* a NaN is out of every range */
    int above, below;   /* 1: the bound itself is excluded */
} rsd_range;

/** Ranges of several tables. */
extern const rsd_range rsd_above_0, rsd_amount, rsd_open_part, rsd_on_off, rsd_first_two, rsd_first_three;

/** Options of a caller, and the problem that they are for. */
typedef struct rsd_option_case {
    const resida_problem *problem; /* with its layout and kinds */
    const void *options;           /* the struct of the table, its ranges checked */
    const char *strategy;          /* of a solver, "auto" resolved; NULL: not known yet */
} rsd_option_case;

typedef struct rsd_option {
    resida_option about;     /* name, struct and conditions, as the user sees them */
    unsigned forms, methods; /* it has an effect with forms, methods of one of these traits; 0: all */
    rsd_option_kind kind;
    int may_change; /* between two calls, without a new start */
    size_t offset;
    double usual; /* the default; of pointers NULL */
    const char *usual_word;
    const rsd_range *range;         /* NULL: a word, a pointer, or any number */
    const char *const *value_names; /* of an enum, for messages; all words, if these are known. The last one is NULL */
    int condition;                  /* a number for what `when` says; 0: none */
} rsd_option;

/** The common name of forms, or methods, of some traits. */
typedef struct rsd_title {
    unsigned traits;
    const char *text;
} rsd_title;

/** The names of forms, or of methods. */
typedef struct rsd_names {
    const char *one;                         /* "form" */
    const char *(*at)(int i);                /* NULL after the last one */
    unsigned (*traits_of)(const char *name); /* 0: no such name */
    const rsd_title *titles;                 /* the last one has text NULL */
} rsd_names;

/** The options of a struct. */
typedef struct rsd_options {
    const rsd_option *lines;
    int n;
    const rsd_names *methods;                               /* NULL: no line depends on the method */
    int (*is_met)(const rsd_option_case *c, int condition); /* NULL: there are no conditions */
} rsd_options;
extern const rsd_options rsd_problem_table;
extern const char *const rsd_projection_names[]; /* as rsd_projection_kind */

/** 1: it has an effect with that form, and that method; NULL: any. */
int rsd_option_fits(const rsd_option *o, const rsd_names *methods, const char *form, const char *method);

/** text [size]: the forms, methods and conditions with which it has an effect. */
void rsd_option_text(const rsd_option *o, const rsd_names *methods, char *text, size_t size);

enum { RSD_OPTION_VALUE = 64 };

/** text: a number, or the value of an option, in as many digits as it takes. */
void rsd_number_text(double x, char text[RSD_OPTION_VALUE]);
void rsd_option_value(const rsd_option *o, const void *options, char text[RSD_OPTION_VALUE]);

/** Set all members but `size` to their defaults. */
void rsd_option_defaults(const rsd_options *table, void *options);

/** Which of the names, whose last one is NULL; -1: none. */
int rsd_name_find(const char *const *names, const char *name);

/** RESIDA_ERR_OPTION: a number is out of its range, or a word is NULL or none of its names. */
resida_status rsd_option_ranges(const rsd_options *table, const void *options, resida_message *why);

/** RESIDA_ERR_OPTION: an option that may not change is another one than before. */
resida_status rsd_option_changes(const rsd_options *table, const void *before, const void *options,
                                 resida_message *why);

/** RESIDA_ERR_OPTION: an option differs from its default, and has no effect. method NULL: any. */
resida_status rsd_option_effects(const rsd_options *table, const rsd_option_case *c, const char *method,
                                 resida_message *why);

#endif
