/* resida/option.h - which option belongs to which formulation and method: one table of all members of
 * resida_problem_options, resida_solver_options and resida_start_options.
 *
 * An option that is set to something other than its default, and has no effect with the form and the method that were
 * chosen, is refused with RESIDA_ERR_OPTION and its name by the call that it was handed to. The library, the command
 * and its help read this table; "only" in the other headers says the same. Names of forms and methods:
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
    const char *when;          /**< what it takes besides form and method, in words; NULL: nothing */
} resida_option;

/** Line i of the table, from 0 on; NULL behind the last one. */
RESIDA_API const resida_option *resida_option_at(int i);

/** The line of that name; NULL: there is none, or name is NULL. */
RESIDA_API const resida_option *resida_option_find(const char *name);

/** 1: has an effect with that form (none but "auto", or "dae") and method, as far as they decide; NULL for one of them:
 *  not asked. 0: it has none, or option is NULL or no line of the table. */
RESIDA_API int resida_option_fits(const resida_option *option, const char *form, const char *method);

/** With what it has an effect, in words, "forms index2, baumgarte"; "" where there is no condition.
 *  @param[in]  option  a line of the table
 *  @param[out] text    [size] always closed by 0, cut if too long
 *  @return RESIDA_OK; RESIDA_ERR_ARGUMENT */
RESIDA_API resida_status resida_option_text(const resida_option *option, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
