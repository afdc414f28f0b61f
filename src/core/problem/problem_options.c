/* problem_options.c - the table of resida_problem_options. */
#include "option_impl.h"

static const char *const formalisms[] = {"auto", "residual", "explicit", NULL};
const char *const rsd_projection_names[] = {"G", "B", "own", NULL};

enum { HAS_DIRECTIONS = 1 };

static int is_condition_met(const rsd_option_case *c, int which)
{
    const resida_problem_options *o = c->options;
    const resida_layout *l = &c->problem->layout;
    return which != HAS_DIRECTIONS || l->eta >= 0 || l->tau >= 0 || o->step_projection;
}

/* First fields of an option: its member in resida_problem_options, its type, and the text `when` of its condition. */
#define PROBLEM(member, type, when)                                                                                    \
    .about = {#member, RESIDA_OPTION_OF_PROBLEM, when}, .kind = (type),                                                \
    .offset = offsetof(resida_problem_options, member)

#define MECHANISMS  RSD_FORM_MECHANISM
#define CONSTRAINED RSD_FORM_CONSTRAINED
#define DIRECTED    RSD_FORM_DIRECTED
#define WITH_D      "where eta or tau act or steps are projected"

/* clang-format off */
static const rsd_option lines[] = {
    {PROBLEM(form, RSD_WORD, NULL), .usual_word = "auto"},
    {PROBLEM(formalism, RSD_INT, NULL), .forms = MECHANISMS, .range = &rsd_first_three, .value_names = formalisms},
    {PROBLEM(allocator, RSD_POINTER, NULL)},
    {PROBLEM(gamma, RSD_REAL, NULL), .forms = RSD_FORM_WITH_GAMMA, .range = &rsd_amount},
    {PROBLEM(penalty, RSD_REAL, NULL), .forms = RSD_FORM_WITH_PENALTY, .range = &rsd_amount},
    {PROBLEM(projection, RSD_WORD, WITH_D), .forms = DIRECTED, .usual_word = "G",
     .value_names = rsd_projection_names, .condition = HAS_DIRECTIONS},
    {PROBLEM(projection_matrix, RSD_POINTER, "with projection own"), .forms = DIRECTED},
    {PROBLEM(step_projection, RSD_INT, NULL), .forms = CONSTRAINED, .range = &rsd_on_off},
    {PROBLEM(products, RSD_POINTER, NULL)},
    {PROBLEM(contacts, RSD_POINTER, NULL), .forms = MECHANISMS},
    {PROBLEM(root_lam, RSD_POINTER, NULL), .forms = CONSTRAINED},
};
/* clang-format on */

const rsd_options rsd_problem_table = {lines, sizeof lines / sizeof *lines, NULL, is_condition_met};
_Static_assert(sizeof(resida_formalism) == sizeof(int), "an enum is read as an int");

void resida_problem_options_init(resida_problem_options *o)
{
    if (!o) return;
    *o = (resida_problem_options){.size = sizeof *o};
    rsd_option_set_defaults(&rsd_problem_table, o);
}
