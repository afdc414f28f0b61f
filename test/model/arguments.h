/* arguments.h - what test_arguments.c drives: a world of valid arguments, a call of every public function with the
 * arguments of that world, and the table of values that spoil one argument each. */
#ifndef RESIDA_TEST_ARGUMENTS_H
#define RESIDA_TEST_ARGUMENTS_H

#include <resida/all.h>

#include <limits.h>

#include "test/fixtures/file_util.h"

enum { ARG_SAVED = 24000 }; /* bytes of a checkpoint, at most */
enum { ARG_N = 6 };         /* unknowns of the mechanism of the world: a pendulum in GGL */

/** Memory of the caller that no failing call may touch; also the structs that are handed over. */
typedef struct arg_kept {
    resida_mechanism m;
    int row[8], col[8]; /* a pattern */
    resida_dae d;
    resida_kind kinds[2];
    const char *names[3];
    resida_products products;
    resida_problem_options problem_options;
    resida_solver_options solver_options;
    resida_start_options start_options;
    resida_equilibrium_options equilibrium_options;
    resida_contacts contacts;
    resida_model_contacts model_contacts;
    double contact_rows[2], contact_rates[1], restitution[1], friction[1], slides[2], slide_rates[1], push[1];
    const char *contact_names[1];
    double rtol_each[ARG_N], atol_each[ARG_N], weights[ARG_N];
    int sign_each[ARG_N], root_directions[1];
    resida_allocator allocator;
    resida_system system;
    int y_row[4], y_column[4], yp_row[4], yp_column[4]; /* its known entries */
    int place[4];                                       /* of entries of its parts */
    unsigned char columns[2];
    resida_jacobian_options jacobian_options;
    resida_jacobian_point at;
    resida_model_class cls;
    resida_parameter parameters[2];
    const char *set_names[2];
    double set_values[2];
    resida_setting settings[2];
    resida_model moving; /* the mechanism as a model */
    resida_model_event happening;
    resida_model_point at_rest;
    resida_happening happened;
    resida_sensitivity by;
    resida_sensitivity_counts by_counts;
    resida_model moved; /* the same once more */
    resida_model dae;   /* the general DAE as a model, with an output */
    const resida_model *moved_list[1];
    double p0[2], v0[2], p[2], v[2], a[2], lam[1];
    double y0[2], yp0[2];
    double y[ARG_N], yp[ARG_N], r[ARG_N], g[1], gv[1];
    int direction[1], current;
    char text[1000];
    resida_layout layout;
    resida_state state;
    resida_stats stats;
    resida_jacobian_counts counts;
    resida_jacobian_matrix matrix;
    const int *group;
    int n_groups;
    resida_linear_model linear;
    resida_modes modes;
    double frequency[2], response_re[4], response_im[4];
} arg_kept;

/** What a failing call may set: handles to NULL, a model to zero, reports and reasons. */
typedef struct arg_out {
    resida_run *run;
    resida_problem *problem;
    resida_solver *solver;
    resida_jacobian *jacobian;
    resida_plugin_handle *plugin;
    resida_linearization *l;
    const resida_model_class *cls;
    resida_model model;
    resida_start_report report;
    resida_equilibrium_report equilibrium_report;
    resida_impact_report impact_report;
    resida_message why;
    size_t saved_size, note_size; /* of checkpoints */
    const void *note;
    unsigned char bytes[ARG_SAVED];
} arg_out;

/** The arguments of a call; valid ones unless a row has spoiled one. */
typedef struct arg_list {
    resida_problem **problem_out;
    resida_solver **solver_out;
    resida_jacobian **jacobian_out;
    resida_plugin_handle **plugin_out;
    const resida_model_class **cls_out;
    resida_problem *problem, *dae_problem;
    resida_solver *s, *dae_s;
    resida_run *run, **run_out;
    const resida_model *moving, *dae;
    resida_model_event *happening;
    const resida_model_point *point;
    resida_happening *happened;
    resida_sensitivity *by;
    resida_sensitivity_counts *by_counts;
    const resida_model *const *moved;
    int n_by, n_moved;
    resida_quadrature_fn *rates;
    void *rates_user;
    resida_jacobian *j, *sparse;
    resida_mechanism *m;
    resida_dae *d;
    resida_products *products;
    resida_problem_options *problem_options;
    resida_solver_options *solver_options;
    resida_start_options *start_options;
    resida_equilibrium_options *equilibrium_options;
    resida_contacts *contacts;
    resida_system *system;
    resida_jacobian_options *jacobian_options;
    resida_message *why;
    double t, t0, t_out, t_max, t_stop, t_last;
    double *p0, *v0, *p, *v, *a, *lam, *y0, *yp0, *y, *yp, *r, *g, *gv;
    resida_start_report *report;
    resida_equilibrium_report *equilibrium_report;
    resida_impact_report *impact_report;
    double *push;
    resida_layout *layout;
    resida_state *state;
    resida_stats *stats;
    resida_jacobian_counts *counts;
    resida_jacobian_matrix *matrix;
    const int **group;
    int *n_groups;
    resida_jacobian_point *at;
    const char *path;
    const resida_option *option;
    const char *name, *form, *method;
    char *text;
    size_t size;
    int i, n_set, reason, what, *current, *direction;
    resida_model_class *cls;
    const char *const *set_names;
    double *set_values;
    resida_setting *settings;
    resida_model *model;
    int status;
    resida_linearization *l, **l_out;
    resida_linear_model *linear;
    resida_modes *modes;
    int count;
    double near, tolerance, norm;
    resida_linearization *driven; /* of the general DAE with an excitation */
    int excitation;
    double *frequency, *response_re, *response_im;
    void (*work)(void *context);
    resida_solver *idle; /* not started */
    resida_run *idle_run;
    const void *note, *saved, *saved_run;
    const void **note_out;
    void *bytes;
    size_t note_size, room, saved_size, saved_run_size, *size_out, *note_size_out;
} arg_list;

typedef struct world {
    resida_problem *problem, *dae_problem, *idle_problem, *moved_problem;
    resida_solver *solver, *dae_solver, *idle;
    resida_run *run, *idle_run;
    resida_jacobian *jacobian, *sparse;
    resida_linearization *linear, *driven;
    unsigned char saved[ARG_SAVED], saved_run[ARG_SAVED];
    arg_kept kept;
    arg_out out;
    arg_list a;
} world;

/** A world whose mechanism's solver stands at an event; every argument valid. */
void world_make(world *w);
void world_free(world *w);

/** A general DAE where a mechanism is given. */
void arg_other_problem(world *w, int way);

/** Where a function leaves the reason of a failure. */
typedef enum arg_channel {
    SAYS_NOTHING,
    SAYS_WHY,
    SAYS_IN_SOLVER,
    SAYS_IN_DAE_SOLVER,
    SAYS_IN_RUN,
    SAYS_IN_IDLE
} arg_channel;

/** A call of a public function with the arguments of a world. @return its status; for one that has none: RESIDA_OK
 *  when it gave what it should */
typedef struct arg_call {
    const char *function;
    resida_status (*call)(world *w);
    arg_channel channel;
} arg_call;

extern const arg_call arg_calls[]; /* ended by a NULL function */

/** How a row spoils the world. */
typedef enum arg_type { ARG_POINTER, ARG_TEXT, ARG_REAL, ARG_INT, ARG_LONG, ARG_SIZE, ARG_SPECIAL } arg_type;

/** An argument of a function, and values that it may not have (or, with RESIDA_OK, may have). */
typedef struct arg_row {
    const char *function;
    const char *argument; /**< as the header calls it; "o.rtol" is a field */
    const char *named;    /**< what the message must say; NULL: the argument, of "o.rtol" the last part; "": nothing */
    resida_status status;
    void (*spoil)(world *w, int way); /**< ARG_SPECIAL: all that is done; else, if any, done before the value is set */
    arg_type type;
    size_t offset;            /**< of the spoiled argument in world */
    const double *values;     /**< [n] */
    const char *const *texts; /**< [n], for ARG_TEXT */
    int n;                    /**< how many values, or ways to spoil it */
    int each;                 /**< components, which are spoiled in turn; 0: it is no array */
} arg_row;

/* Ended by a NULL function. */
extern const arg_row arg_rows_model[], arg_rows_problem[], arg_rows_solver[], arg_rows_cost[], arg_rows_products[],
    arg_rows_linearize[], arg_rows_equilibrium[], arg_rows_impact[], arg_rows_contact[];

/** @name Short names @{ */
#define OK         RESIDA_OK
#define ARGUMENT   RESIDA_ERR_ARGUMENT
#define OPTION     RESIDA_ERR_OPTION
#define MODEL      RESIDA_ERR_MODEL
#define NOT_FINITE NAN, INFINITY, -INFINITY
/** @} */

/** @name Rows. S: the status; F: the field of world @{ */
#define ARG_IN(T, F) .type = T, .offset = offsetof(world, F)
#define ARG_LIST(...)                                                                                                  \
    .values = (const double[]){__VA_ARGS__}, .n = (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double))
#define ARG_ROW(call, what, says, S, ...)                                                                              \
    {                                                                                                                  \
        .function = call, .argument = what, .named = says, .status = S, __VA_ARGS__                                    \
    }
#define NULLED(function, argument, F, S) ARG_ROW(function, argument, NULL, S, ARG_IN(ARG_POINTER, F), .n = 1)
#define REALS(function, argument, F, S, ...)                                                                           \
    ARG_ROW(function, argument, NULL, S, ARG_IN(ARG_REAL, F), ARG_LIST(__VA_ARGS__))
#define INTS(function, argument, F, S, ...)                                                                            \
    ARG_ROW(function, argument, NULL, S, ARG_IN(ARG_INT, F), ARG_LIST(__VA_ARGS__))
#define LONGS(function, argument, F, S, ...)                                                                           \
    ARG_ROW(function, argument, NULL, S, ARG_IN(ARG_LONG, F), ARG_LIST(__VA_ARGS__))
#define SIZES(function, argument, F, S, ...)                                                                           \
    ARG_ROW(function, argument, NULL, S, ARG_IN(ARG_SIZE, F), ARG_LIST(__VA_ARGS__))
/** Sizes that a struct of the type T cannot have. */
#define WRONG_SIZES(function, argument, F, T) SIZES(function, argument, F, ARGUMENT, 0, 8, sizeof(T) + 8.0, 1e18)
/** Each of the components of an array. */
#define EACH(function, argument, components, F, S, ...)                                                                \
    ARG_ROW(function, argument, NULL, S, ARG_IN(ARG_REAL, F), .each = components, ARG_LIST(__VA_ARGS__))
#define TEXTS_SAYING(function, argument, says, F, S, ...)                                                              \
    ARG_ROW(function, argument, says, S, ARG_IN(ARG_TEXT, F), .texts = (const char *const[]){__VA_ARGS__},             \
            .n = (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)))
#define TEXTS(function, argument, F, S, ...) TEXTS_SAYING(function, argument, NULL, F, S, __VA_ARGS__)
/** Values of the type T after a preparation. */
#define GIVEN(function, argument, says, prepare, T, F, S, ...)                                                         \
    ARG_ROW(function, argument, says, S, .spoil = prepare, ARG_IN(T, F), ARG_LIST(__VA_ARGS__))
#define WAYS_SAYING(function, argument, says, ways, how, S)                                                            \
    ARG_ROW(function, argument, says, S, .spoil = how, .type = ARG_SPECIAL, .n = ways)
#define WAYS(function, argument, ways, how, S) WAYS_SAYING(function, argument, NULL, ways, how, S)
#define END_OF_ROWS                            ARG_ROW(NULL, NULL, NULL, OK, .n = 0)
/** @} */

/** @name Arguments that many functions have @{ */
/** Positions and velocities. */
#define START(function, p, v)                                                                                          \
    NULLED(function, p, a.p0, ARGUMENT), EACH(function, p, 2, kept.p0[0], ARGUMENT, NOT_FINITE),                       \
        NULLED(function, v, a.v0, ARGUMENT), EACH(function, v, 2, kept.v0[0], ARGUMENT, NOT_FINITE)
#define START_OPTIONS(function)                                                                                        \
    NULLED(function, "o", a.start_options, OK),                                                                        \
        WRONG_SIZES(function, "o.size", kept.start_options.size, resida_start_options),                                \
        INTS(function, "o.redundant", kept.start_options.redundant, OPTION, -1, 2, INT_MAX, INT_MIN),                  \
        REALS(function, "o.rank_tolerance", kept.start_options.rank_tolerance, OPTION, NOT_FINITE, 0, -1, 1),          \
        REALS(function, "o.max_change", kept.start_options.max_change, OPTION, NAN, -INFINITY, 0, -1),                 \
        INTS(function, "o.wrong_matrix", kept.start_options.wrong_matrix, OPTION, -1, 2, INT_MAX, INT_MIN)
/** @} */

#endif
