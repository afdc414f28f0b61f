/* resida/option.h - the formulations and methods in which an option has an effect: a table of all members of
 * resida_problem_options, resida_solver_options and resida_start_options.
 *
 * An option without effect that differs from its default is refused by name with RESIDA_ERR_OPTION. Names of forms and
 * methods: resida_form_at(), resida_method_at(). */
#ifndef RESIDA_OPTION_H
#define RESIDA_OPTION_H

#include <resida/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Struct that has an option as a member. */
typedef enum resida_option_place {
    RESIDA_OPTION_OF_PROBLEM = 0, /**< resida_problem_options */
    RESIDA_OPTION_OF_SOLVER = 1,  /**< resida_solver_options */
    RESIDA_OPTION_OF_START = 2    /**< resida_start_options */
} resida_option_place;

/** An option and its condition; all strings are static. */
typedef struct resida_option {
    const char *name;          /**< name of the member */
    resida_option_place place; /**< struct of the member */
    const char *when;          /**< condition besides form and method, as text; NULL: none */
} resida_option;

/** Option i >= 0 of the table; NULL after the last one. */
RESIDA_API const resida_option *resida_option_at(int i);

/** Option with this name; NULL if there is none, or if name is NULL. */
RESIDA_API const resida_option *resida_option_find(const char *name);

/** Return 1 if the option has an effect with this form ("dae", but not "auto") and method; NULL: any of them. Return 0
 *  if it has none, or `option` is not in the table. */
RESIDA_API int resida_option_fits(const resida_option *option, const char *form, const char *method);

/** Write the condition of an option as text, such as "forms index2, baumgarte"; "" if there is none.
 *  @param[in]  option  an option of the table
 *  @param[out] text    [size] terminated by 0; a text that is too long ends with " ..." */
RESIDA_API resida_status resida_option_text(const resida_option *option, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
