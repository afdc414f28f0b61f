/* plan_json.c - reads a plan from JSON:
 *
 *     {"model": "pendulum", "design": "latin-hypercube", "cases": 1000, "seed": 7,
 *      "fixed": {"--t-end": 2},
 *      "vary": {"length": {"distribution": "normal", "mean": 1, "sd": 0.1}, "--rtol": [1e-4, 1e-6]},
 *      "outputs": ["p[0]", "max.p[0]"]}
 *
 * Unknown members, and members without effect, are refused with their names. */
#include "plan.h"

#include "program/base/complain.h"
#include "program/base/suggest.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 8, WORDS = 300 };

static const char *const designs[] = {"grid", "list", "latin-hypercube", "monte-carlo"}; /* order of cmd_design */
enum { N_DESIGNS = sizeof designs / sizeof *designs };
static const char *const members[] = {"model", "design", "cases", "seed", "fixed", "vary", "outputs"};
enum { N_MEMBERS = sizeof members / sizeof *members };

/** Complain: "plan.json: length: words". @return CMD_EXIT_USAGE */
static int complain_about(const cmd_plan *plan, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int complain_about(const cmd_plan *plan, const char *name, const char *format, ...)
{
    char words[WORDS];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return cmd_complain(CMD_EXIT_USAGE, "%s: %s: %s", plan->path, name, words);
}

/** Check that a key of `what` is one of the names [n]. @return 0; CMD_EXIT_USAGE after one complaint */
static int check_key(const cmd_plan *plan, const char *what, const char *key, const char *const *names, int n)
{
    for (int i = 0; i < n; i++)
        if (names[i] && strcmp(key, names[i]) == 0) return 0;
    const char *near = cmd_nearest(key, names, n);
    if (near) return complain_about(plan, what, "unknown member '%s'; did you mean '%s'?", key, near);
    return complain_about(plan, what, "unknown member '%s'", key);
}

/** Append a value as a word of the command line. @return 0; -1 if the type is not allowed; -2 without memory */
static int add_value(cmd_axis *axis, const json_t *value)
{
    const char *word;
    if (json_is_integer(value))
        word = cmd_number("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        word = cmd_format_shortest(json_real_value(value));
    else if (json_is_boolean(value))
        word = json_is_true(value) ? "true" : "false";
    else if (json_is_string(value))
        word = json_string_value(value);
    else
        return -1;
    if (word[0] == 0 || strlen(word) >= CMD_WORD_SIZE / 2) return -1;
    return cmd_axis_add(axis, word) == 0 ? 0 : -2;
}

static int read_value(const cmd_plan *plan, cmd_axis *axis, const json_t *value)
{
    int done = add_value(axis, value);
    if (done == -2) return cmd_no_memory();
    return done == 0 ? 0 : complain_about(plan, axis->name, "a value must be a number, a short text, true or false");
}

static int read_list(const cmd_plan *plan, cmd_axis *axis, const json_t *list)
{
    size_t i;
    json_t *value;
    int code = 0;
    json_array_foreach(list, i, value) if (code == 0) code = read_value(plan, axis, value);
    if (code == 0 && axis->n == 0) return complain_about(plan, axis->name, "the list is empty: the plan has no cases");
    return code;
}

static int read_number(const cmd_plan *plan, const char *name, const json_t *object, const char *key, double *x)
{
    const json_t *value = json_object_get(object, key);
    if (!value) return complain_about(plan, name, "'%s' is missing", key);
    if (!json_is_number(value)) return complain_about(plan, name, "'%s' must be a number", key);
    *x = json_number_value(value);
    return 0;
}

/** Read a range {"from": a, "to": b, "points": n, "scale": "log"}, which includes both ends. */
static int read_range(const cmd_plan *plan, cmd_axis *axis, const json_t *range)
{
    static const char *const names[] = {"from", "to", "points", "scale"};
    double from = 0, to = 0, points = 0;
    const char *key, *scale = json_string_value(json_object_get(range, "scale"));
    json_t *value;
    json_object_foreach((json_t *)range, key,
                        value) if (check_key(plan, axis->name, key, names, 4) != 0) return CMD_EXIT_USAGE;
    int code = read_number(plan, axis->name, range, "from", &from);
    if (code == 0) code = read_number(plan, axis->name, range, "to", &to);
    if (code == 0) code = read_number(plan, axis->name, range, "points", &points);
    if (code != 0) return code;
    const int is_log = scale && strcmp(scale, "log") == 0;
    if (json_object_get(range, "scale") && !is_log && !(scale && strcmp(scale, "linear") == 0))
        return complain_about(plan, axis->name, "'scale' must be \"linear\" or \"log\"");
    if (points != floor(points) || points < 1 || points > CMD_RANGE_POINTS)
        return complain_about(plan, axis->name, "'points' must be a whole number from 1 to %d", CMD_RANGE_POINTS);
    if (points == 1 && from != to) return complain_about(plan, axis->name, "one point cannot be both 'from' and 'to'");
    if (is_log && !(from > 0 && to > 0))
        return complain_about(plan, axis->name, "'from' and 'to' must be > 0 with scale log");
    for (double k = 0; k < points; k++) {
        const double last = fmax(points - 1, 1);
        double x = is_log ? from * pow(to / from, k / last) : from + k * (to - from) / last; /* keeps integers exact */
        if (k == points - 1) x = to;
        if (cmd_axis_add(axis, cmd_format_shortest(x)) != 0) return cmd_no_memory();
    }
    return 0;
}

static int read_distribution(const cmd_plan *plan, cmd_axis *axis, const json_t *object, const char *kind)
{
    const char *names[NAMES_MAX], *key;
    json_t *value;
    int n = 0, code = 0;
    const cmd_distribution *d = kind ? cmd_distribution_find(kind) : NULL;
    for (; n < NAMES_MAX && cmd_distribution_at(n); n++) names[n] = cmd_distribution_at(n)->name;
    if (!kind) return complain_about(plan, axis->name, "'distribution' must be a name");
    if (!d) return check_key(plan, axis->name, kind, names, n);
    n = 0;
    for (; n < CMD_DISTRIBUTION_MEMBERS && d->members[n]; n++) names[n] = d->members[n];
    for (int i = 0; i < n && code == 0; i++) code = read_number(plan, axis->name, object, names[i], &axis->numbers[i]);
    names[n] = "distribution";
    json_object_foreach((json_t *)object, key, value) if (code == 0) code =
        check_key(plan, axis->name, key, names, n + 1);
    if (code != 0) return code;
    if (!d->is_good(axis->numbers)) return complain_about(plan, axis->name, "%s needs %s", d->name, d->rule);
    axis->distribution = d;
    return 0;
}

static int is_random_design(const cmd_plan *plan)
{
    return plan->design == CMD_LATIN_HYPERCUBE || plan->design == CMD_MONTE_CARLO;
}

static int read_axis(cmd_plan *plan, const char *name, const json_t *value)
{
    cmd_axis *axis = cmd_plan_add(&plan->axes, &plan->n_axes, name);
    if (!axis) return cmd_no_memory();
    if (json_is_array(value)) return read_list(plan, axis, value);
    const json_t *kind = json_object_get(value, "distribution");
    if (kind && !is_random_design(plan))
        return complain_about(plan, name, "a distribution needs \"design\": \"monte-carlo\" or \"latin-hypercube\"");
    if (kind) return read_distribution(plan, axis, value, json_string_value(kind));
    if (json_is_object(value)) return read_range(plan, axis, value);
    return complain_about(plan, name, "must be a list, a range {\"from\", \"to\", \"points\"} or a distribution");
}

/** Check that all lists have the same length. */
static int check_lengths(cmd_plan *plan)
{
    if (plan->design != CMD_LISTED) return 0;
    plan->n_cases = plan->n_axes > 0 ? plan->axes[0].n : 0;
    for (int i = 1; i < plan->n_axes; i++)
        if (plan->axes[i].n != plan->n_cases)
            return complain_about(plan, plan->axes[i].name, "has %ld values, '%s' has %ld", plan->axes[i].n,
                                  plan->axes[0].name, plan->n_cases);
    return 0;
}

static int read_vary(cmd_plan *plan, const json_t *vary)
{
    const char *name;
    json_t *value;
    int code = 0;
    if (!json_is_object(vary) || json_object_size(vary) == 0)
        return complain_about(plan, "vary", "must be an object with the parameters that vary");
    json_object_foreach((json_t *)vary, name, value) if (code == 0) code = read_axis(plan, name, value);
    return code == 0 ? check_lengths(plan) : code;
}

static int read_fixed(cmd_plan *plan, const json_t *fixed)
{
    const char *name;
    json_t *value;
    int code = 0;
    if (fixed && !json_is_object(fixed)) return complain_about(plan, "fixed", "must be an object");
    json_object_foreach((json_t *)fixed, name, value) if (code == 0)
    {
        cmd_axis *axis = cmd_plan_add(&plan->fixed, &plan->n_fixed, name);
        code = axis ? read_value(plan, axis, value) : cmd_no_memory();
    }
    return code;
}

static int read_outputs(cmd_plan *plan, const json_t *outputs)
{
    const size_t n = json_array_size(outputs);
    if (!outputs) return 0;
    if (n == 0) return complain_about(plan, "outputs", "must be a list of names");
    plan->outputs = calloc(n, sizeof *plan->outputs);
    for (size_t i = 0; plan->outputs && i < n; i++) {
        const char *name = json_string_value(json_array_get(outputs, i));
        if (!name) return complain_about(plan, "outputs", "must be a list of names");
        if (!(plan->outputs[i] = strdup(name))) return cmd_no_memory();
        plan->n_outputs++;
    }
    return plan->outputs ? 0 : cmd_no_memory();
}

/** Read the number of cases and the seed. Only random designs have them. */
static int read_counts(cmd_plan *plan, const json_t *root)
{
    double cases = 0, seed = 0;
    for (int i = 2; i < 4 && !is_random_design(plan); i++) /* cases, seed */
        if (json_object_get(root, members[i]))
            return complain_about(plan, members[i], "has no effect with design %s", designs[plan->design]);
    if (!is_random_design(plan)) return 0;
    int code = read_number(plan, "plan", root, "cases", &cases);
    if (code == 0) code = read_number(plan, "plan", root, "seed", &seed);
    if (code != 0) return code;
    if (cases != floor(cases) || cases < 0 || cases > CMD_PLAN_CASES)
        return complain_about(plan, "cases", "must be a whole number, at most %d", CMD_PLAN_CASES);
    if (!json_is_integer(json_object_get(root, "seed")) || seed < 0)
        return complain_about(plan, "seed", "must be a whole number >= 0");
    plan->n_cases = (long)cases;
    plan->seed = (uint64_t)json_integer_value(json_object_get(root, "seed"));
    return 0;
}

static int read_design(cmd_plan *plan, const json_t *design)
{
    const char *name = json_string_value(design);
    if (!design) return 0;
    for (int i = 0; name && i < N_DESIGNS; i++)
        if (strcmp(name, designs[i]) == 0) {
            plan->design = (cmd_design)i;
            return 0;
        }
    const char *near = name ? cmd_nearest(name, designs, N_DESIGNS) : NULL;
    if (near) return complain_about(plan, "design", "no '%s'; did you mean '%s'?", name, near);
    return complain_about(plan, "design", "must be one of grid, list, latin-hypercube, monte-carlo");
}

static int read_plan(cmd_plan *plan, const json_t *root)
{
    const char *key;
    json_t *value, *model = json_object_get(root, "model");
    int code = 0;
    if (!json_is_object(root)) return cmd_complain(CMD_EXIT_USAGE, "%s: must be one JSON object", plan->path);
    json_object_foreach((json_t *)root, key, value) if (code == 0) code =
        check_key(plan, "plan", key, members, N_MEMBERS);
    if (code == 0 && model && !json_is_string(model)) code = complain_about(plan, "model", "must be a text");
    if (code == 0 && model && !(plan->model = strdup(json_string_value(model)))) code = cmd_no_memory();
    if (code == 0) code = read_design(plan, json_object_get(root, "design"));
    if (code == 0) code = read_counts(plan, root);
    if (code == 0) code = read_fixed(plan, json_object_get(root, "fixed"));
    if (code == 0) code = read_vary(plan, json_object_get(root, "vary"));
    return code == 0 ? read_outputs(plan, json_object_get(root, "outputs")) : code;
}

int cmd_plan_json(cmd_plan *plan)
{
    json_error_t error;
    const char *text = cmd_plan_text(plan);
    json_t *root = json_loadb(text, plan->size - (size_t)(text - plan->text), JSON_REJECT_DUPLICATES, &error);
    if (!root) return cmd_complain(CMD_EXIT_USAGE, "%s, line %d: %s", plan->path, error.line, error.text);
    int code = read_plan(plan, root);
    json_decref(root);
    return code;
}
