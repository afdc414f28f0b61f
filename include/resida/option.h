/* resida/option.h - the formulations and methods that use an option: a table of all members of resida_problem_options,
 * resida_solver_options and resida_start_options.
 *
 * An option that differs from its default and has no effect with the chosen form and method is refused with
 * RESIDA_ERR_OPTION and its name. Library, command and help read this table. Names of forms and methods:
 * resida_form_at(), resida_method_at(). */
#ifndef RESIDA_OPTION_H
#define RESIDA_OPTION_H

#include <resida/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The struct that an option is a member of. */
typedef enum resida_option_place {
    RESIDA_OPTION_OF_PROBLEM = 0, /**< resida_problem_options */
    RESIDA_OPTION_OF_SOLVER = 1,  /**< resida_solver_options */
    RESIDA_OPTION_OF_START = 2    /**< resida_start_options */
} resida_option_place;

/** A line of the table; all strings are static. */
typedef struct resida_option {
    const char *name;          /**< of the member */
    resida_option_place place; /**< the struct that has it */
    const char *when;          /**< its condition besides form and method, as text; NULL: none */
} resida_option;

/** Line i of the table, i >= 0; NULL after the last one. */
RESIDA_API const resida_option *resida_option_at(int i);

/** The line with this name; NULL if there is none, or if name is NULL. */
RESIDA_API const resida_option *resida_option_find(const char *name);

/** 1: the option has an effect with this form (not "auto"; or "dae") and method; NULL: any. 0: it has none, or option
 *  is NULL or not a line of the table. */
RESIDA_API int resida_option_fits(const resida_option *option, const char *form, const char *method);

/** The condition as text, such as "forms index2, baumgarte"; "" if there is none.
 *  @param[in]  option  a line of the table
 *  @param[out] text    [size] terminated by 0, truncated if too long
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_option_text(const resida_option *option, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
