/* option.c - the table of options, and what can be read from it. */
#include <resida/option.h>

#include <stdio.h>
#include <string.h>

#define INDEX_3     "index3 augmented"
#define HELD_BY_ETA "ggl projected1 projected2 hiller-anantharaman"
#define DIRECTED    HELD_BY_ETA " index1 index2 baumgarte " INDEX_3
#define CONSTRAINED DIRECTED " state-space"
#define MECHANISMS  "ode " CONSTRAINED
#define NEWMARKS    "newmark hht generalized-alpha"
#define BACKWARDS   "bdf2 bdf3 bdf4 bdf5 bdf6"
#define FIXED       "bdf1 " BACKWARDS " midpoint " NEWMARKS " radau-iia-2 radau-iia-3 energy-decaying"

/** Lists that have a name of their own. */
static const struct {
    const char *list, *title;
} groups[] = {{MECHANISMS, "mechanisms"},
              {CONSTRAINED, "forms with constraints"},
              {DIRECTED, "forms with constraints but state-space"},
              {FIXED, "steps of a fixed size"},
              {BACKWARDS, "methods bdf2 .. bdf6"}};
enum { N_GROUPS = sizeof groups / sizeof *groups };

#define PROBLEM RESIDA_OPTION_OF_PROBLEM
#define SOLVER  RESIDA_OPTION_OF_SOLVER
#define START   RESIDA_OPTION_OF_START

static const resida_option options[] = {
    {"form", PROBLEM, NULL, NULL, NULL},
    {"formalism", PROBLEM, MECHANISMS, NULL, NULL},
    {"allocator", PROBLEM, NULL, NULL, NULL},
    {"gamma", PROBLEM, "index2 baumgarte", NULL, NULL},
    {"penalty", PROBLEM, "augmented", NULL, NULL},
    {"projection", PROBLEM, DIRECTED, NULL, "where eta or tau act or steps are projected"},
    {"projection_matrix", PROBLEM, DIRECTED, NULL, "with projection own"},
    {"step_projection", PROBLEM, CONSTRAINED, NULL, NULL},

    {"rtol", SOLVER, NULL, NULL, NULL},
    {"atol", SOLVER, NULL, NULL, "without atol_each"},
    {"atol_each", SOLVER, NULL, NULL, NULL},
    {"method", SOLVER, NULL, NULL, NULL},
    {"step", SOLVER, NULL, FIXED, NULL},
    {"adaptive", SOLVER, NULL, NEWMARKS, NULL},
    {"rho_infinity", SOLVER, NULL, "hht generalized-alpha energy-decaying", NULL},
    {"newmark_beta", SOLVER, NULL, "newmark", NULL},
    {"newmark_gamma", SOLVER, NULL, "newmark", NULL},
    {"start_up", SOLVER, NULL, BACKWARDS, NULL},
    {"newton_to_rounding", SOLVER, NULL, FIXED, NULL},
    {"observer", SOLVER, NULL, FIXED, NULL},
    {"observer_user", SOLVER, NULL, FIXED, NULL},
    {"max_order", SOLVER, NULL, "bdf", NULL},
    {"stability_detection", SOLVER, NULL, "bdf", "with max_order > 2"},
    {"h_first", SOLVER, NULL, "bdf", NULL},
    {"h_max", SOLVER, NULL, "bdf " NEWMARKS, "with steps that adapt"},
    {"t_stop", SOLVER, NULL, NULL, NULL},
    {"max_steps", SOLVER, NULL, NULL, NULL},
    {"max_residuals", SOLVER, NULL, NULL, NULL},
    {"time_limit_s", SOLVER, NULL, NULL, NULL},
    {"error_test", SOLVER, NULL, "bdf", "where other components are tested than with auto"},
    {"newton_tolerance", SOLVER, NULL, NULL, "without newton_to_rounding"},
    {"newton_h_weights", SOLVER, NULL, NULL, "with unknowns of index 2 or 3, without newton_to_rounding"},
    {"jacobian", SOLVER, NULL, NULL, NULL},
    {"slow_rate", SOLVER, NULL, "bdf", NULL},
    {"max_age", SOLVER, NULL, "bdf", "with a jacobian other than user"},
    {"scaling", SOLVER, INDEX_3, NULL, NULL},
    {"scaling_mass", SOLVER, INDEX_3, NULL, "with scaling lam, lam+v or two-field-lam"},
    {"scaling_damping", SOLVER, INDEX_3, NULL, "with scaling lam, lam+v or two-field-lam"},
    {"scaling_stiffness", SOLVER, INDEX_3, NULL, "with scaling lam, lam+v or two-field-lam"},
    {"linear_solver", SOLVER, NULL, NULL, NULL},
    {"differences", SOLVER, NULL, NULL, "where something is differenced"},
    {"threads", SOLVER, NULL, NULL, "with a jacobian other than user"},
    {"event_parts", SOLVER, NULL, NULL, "with root functions"},
    {"monitor", SOLVER, NULL, NULL, NULL},
    {"monitor_user", SOLVER, NULL, NULL, NULL},

    {"redundant", START, CONSTRAINED, NULL, NULL},
    {"rank_tolerance", START, CONSTRAINED, NULL, NULL},
    {"max_change", START, CONSTRAINED, NULL, NULL},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

const resida_option *resida_option_at(int i)
{
    return i >= 0 && i < N_OPTIONS ? &options[i] : NULL;
}

const resida_option *resida_option_find(const char *name)
{
    for (int i = 0; name && i < N_OPTIONS; i++)
        if (strcmp(options[i].name, name) == 0) return &options[i];
    return NULL;
}

static int has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    while (*list) {
        const size_t here = strcspn(list, " ");
        if (here == length && strncmp(list, word, length) == 0) return 1;
        list += here + strspn(list + here, " ");
    }
    return 0;
}

int resida_option_fits(const resida_option *option, const char *form, const char *method)
{
    if (!option) return 0;
    if (form && option->forms && !has_word(option->forms, form)) return 0;
    return !method || !option->methods || has_word(option->methods, method);
}

static void join(char *text, size_t size, const char *between, const char *part)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", between, part);
}

/* One more part of the text. */
static void append(char *text, size_t size, const char *part)
{
    join(text, size, text[0] ? ", " : "", part);
}

/* "forms index2, baumgarte", or the title of the list. */
static void append_list(char *text, size_t size, const char *list, const char *one, const char *many)
{
    if (!list) return;
    for (int i = 0; i < N_GROUPS; i++)
        if (strcmp(list, groups[i].list) == 0) {
            append(text, size, groups[i].title);
            return;
        }
    append(text, size, strchr(list, ' ') ? many : one);
    for (const char *between = " "; *list; list++, between = "")
        join(text, size, *list == ' ' ? "," : between, (char[]){*list, 0});
}

resida_status resida_option_text(const resida_option *option, char *text, size_t size)
{
    if (!option || !text || size == 0) return RESIDA_ERR_ARGUMENT;
    text[0] = 0;
    append_list(text, size, option->forms, "form", "forms");
    append_list(text, size, option->methods, "method", "methods");
    if (option->when) append(text, size, option->when);
    return RESIDA_OK;
}
