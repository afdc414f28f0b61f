/* test_model.c - model classes and their parameters: what is refused, and in which words. */
#include <resida/model.h>

#include "test/fixtures/file_util.h"
#include "src/kits/plugin/model_impl.h"

/* A class that writes down what it was given, and can be told to misbehave. */
static struct {
    int creates, destroys, verdict, flaw;
    const char *says;
    double values[3];
    void (*spoil)(resida_model *model);
} tool;

static const double start[2] = {1, 2};

static int create(const double *values, resida_model *model, resida_message *why)
{
    tool.creates++;
    memcpy(tool.values, values, sizeof tool.values);
    if (tool.verdict != 0) {
        if (tool.says) strcpy(why->text, tool.says);
        return tool.verdict;
    }
    model->mechanism.n_p = model->mechanism.n_v = 2;
    model->p0 = model->v0 = start;
    model->t_end = 1;
    model->rtol = 1e-6;
    model->user = malloc(8); /* so that a forgotten destroy() shows as a leak */
    if (tool.spoil) tool.spoil(model);
    return 0;
}

static void destroy(resida_model *model)
{
    tool.destroys++;
    free(model->user);
}

static const resida_parameter parameters[3] = {
    {"n", 14, 1, 1000, 1, "-", "rods", NULL},
    {"mass", 1.5, 0.5, 10, 0, "kg", "mass of a rod", NULL},
    {"omega", 0, -INFINITY, INFINITY, 0, "rad/s", "speed", NULL},
};

static const resida_model_class good = {RESIDA_MODEL_HEAD, "chain", "rods on joints", 3,
                                        parameters,        create,  destroy,          NULL};

static resida_model model;
static resida_message why;

static int fresh(void **state)
{
    memset(&tool, 0, sizeof tool);
    memset(&model, 0xff, sizeof model); /* as if it stood on a dirty stack */
    memset(&why, 0, sizeof why);
    return 0;
}

/* After a failure: this status, these words, nothing made, and destroy() is harmless. */
static void expect_failure(resida_status status, resida_status expected, const char *words)
{
    if (status != expected) fail_msg("status %s: %s", resida_status_name(status), why.text);
    if (!strstr(why.text, words)) fail_msg("\"%s\" does not say \"%s\"", why.text, words);
    assert_null(strchr(why.text, '\n'));
    int destroys = tool.destroys;
    resida_model_destroy(&good, &model);
    assert_int_equal(tool.destroys, destroys);
    assert_int_equal(model.size, 0);
    assert_null(model.user);
}

static resida_status set(int n, const char *name_0, double value_0, const char *name_1, double value_1)
{
    const char *names[] = {name_0, name_1};
    double values[] = {value_0, value_1};
    return resida_model_create(&good, n, names, values, &model, &why);
}

CLAIM_WITH(defaults_reach_create_when_nothing_is_set, fresh, NULL)
{
    assert_int_equal(resida_model_create(&good, 0, NULL, NULL, &model, NULL), RESIDA_OK);
    assert_true(tool.values[0] == 14 && tool.values[1] == 1.5 && tool.values[2] == 0);
    assert_int_equal(model.size, sizeof model);
    assert_int_equal(model.mechanism.size, sizeof model.mechanism);
    assert_int_equal(model.dae.size, sizeof model.dae);
    resida_model_destroy(&good, &model);
}

CLAIM_WITH(parameters_are_set_by_name_in_any_order, fresh, NULL)
{
    assert_int_equal(set(2, "omega", -3, "n", 20), RESIDA_OK);
    assert_true(tool.values[0] == 20 && tool.values[1] == 1.5 && tool.values[2] == -3);
    resida_model_destroy(&good, &model);
}

CLAIM_WITH(both_ends_of_a_range_are_allowed, fresh, NULL)
{
    assert_int_equal(set(2, "mass", 0.5, "n", 1000), RESIDA_OK);
    assert_true(tool.values[0] == 1000 && tool.values[1] == 0.5);
    resida_model_destroy(&good, &model);
}

CLAIM_WITH(an_unknown_name_is_refused_with_the_names_there_are, fresh, NULL)
{
    expect_failure(set(2, "n", 3, "masss", 1), RESIDA_ERR_ARGUMENT,
                   "chain has no parameter \"masss\"; it has n, mass, omega");
    expect_failure(set(1, "", 1, NULL, 0), RESIDA_ERR_ARGUMENT, "no parameter \"\"");
    assert_int_equal(tool.creates, 0);
    resida_model_class bare = good;
    bare.n_parameters = 0;
    const char *name = "n";
    double value = 1;
    expect_failure(resida_model_create(&bare, 1, &name, &value, &model, &why), RESIDA_ERR_ARGUMENT, "it has none");
}

CLAIM_WITH(a_long_list_of_names_is_cut_between_names, fresh, NULL)
{
    enum { many = 60 };
    char names[many][16];
    resida_parameter table[many];
    for (int i = 0; i < many; i++) {
        table[i] = parameters[1];
        memcpy(names[i], "stiffness_00", 13);
        names[i][10] = (char)('0' + i / 10);
        names[i][11] = (char)('0' + i % 10);
        table[i].name = names[i];
    }
    resida_model_class wide = good;
    wide.n_parameters = many;
    wide.parameters = table;
    const char *name = "damping";
    double value = 1;
    expect_failure(resida_model_create(&wide, 1, &name, &value, &model, &why), RESIDA_ERR_ARGUMENT, "stiffness_00, ");
    size_t length = strlen(why.text);
    assert_true(length > sizeof why.text - 32); /* the room is used */
    assert_string_equal(why.text + length - 5, ", ...");
    assert_true(why.text[length - 6] >= '0' && why.text[length - 6] <= '9'); /* a whole name before it */
}

CLAIM_WITH(the_reason_of_the_class_is_passed_on, fresh, NULL)
{
    tool.verdict = 3;
    tool.says = "a rod of no length";
    expect_failure(set(0, NULL, 0, NULL, 0), RESIDA_ERR_MODEL, "chain: a rod of no length");
    tool.says = NULL;
    expect_failure(set(0, NULL, 0, NULL, 0), RESIDA_ERR_MODEL, "chain: create() returned 3 without a message");
    assert_int_equal(resida_model_create(&good, 0, NULL, NULL, &model, NULL), RESIDA_ERR_MODEL);
    assert_int_equal(tool.destroys, 0); /* a failed create() leaves nothing to destroy */
}

CLAIM_WITH(destroy_runs_once, fresh, NULL)
{
    assert_int_equal(set(0, NULL, 0, NULL, 0), RESIDA_OK);
    resida_model_destroy(&good, &model);
    resida_model_destroy(&good, &model);
    assert_int_equal(tool.destroys, 1);
}

CLAIM_WITH(a_class_without_destroy_is_fine, fresh, NULL)
{
    resida_model_class simple = good;
    simple.destroy = NULL;
    assert_int_equal(resida_model_create(&simple, 0, NULL, NULL, &model, &why), RESIDA_OK);
    free(model.user);
    resida_model_destroy(&simple, &model);
    assert_int_equal(model.size, 0);
}

/* A shape of one part, and two outputs. */
static resida_part part;

static int shape(const resida_model *m, double t, const double *p, double *xyz)
{
    return 0;
}

static void draw(resida_model *m, const char *name, int kind, int n)
{
    part = (resida_part){name, (resida_part_kind)kind, n};
    m->n_parts = 1, m->parts = &part, m->shape = shape;
}

static int output(const resida_model *m, const resida_model_point *at, double *out)
{
    out[0] = out[1] = 0;
    return 0;
}

static void tell(resida_model *m, const char *first, const char *second)
{
    static const char *names[2];
    names[0] = first, names[1] = second;
    m->n_outputs = 2, m->output_names = names, m->output = output;
}

static const char *const odd_units[] = {"m\n", "m", "m", "m"};

/* What a create() may forget or break, and how that is called. */
#define FLAWS(FLAW)                                                                                                    \
    FLAW(m->size = 1, "left size overwritten")                                                                         \
    FLAW(m->mechanism.size = 0, "mechanism.size overwritten")                                                          \
    FLAW((m->is_dae = 1, m->dae.size = 0), "dae.size overwritten")                                                     \
    FLAW(m->p0 = NULL, "p0 NULL")                                                                                      \
    FLAW(m->v0 = NULL, "v0 NULL")                                                                                      \
    FLAW(m->mechanism.n_p = 0, "n_p or n_v not positive")                                                              \
    FLAW(m->is_dae = 1, "dae.n not positive")                                                                          \
    FLAW((m->is_dae = 1, m->dae.n = 1), "y0 NULL")                                                                     \
    FLAW(m->t_end = 0, "t_end not after t0")                                                                           \
    FLAW(m->t_end = INFINITY, "t_end not after t0")                                                                    \
    FLAW(m->rtol = 0, "rtol not positive")                                                                             \
    FLAW(m->atol = NAN, "atol negative or not finite")                                                                 \
    FLAW(m->n_parts = -1, "n_parts negative")                                                                          \
    FLAW((draw(m, "rod", RESIDA_PART_LINE, 2), m->parts = NULL), "parts NULL")                                         \
    FLAW((draw(m, "rod", RESIDA_PART_LINE, 2), m->shape = NULL), "shape NULL, with parts")                             \
    FLAW(draw(m, "rod", RESIDA_PART_LINE, 0), "a part without points")                                                 \
    FLAW(draw(m, "rod", RESIDA_PART_BOX, 4), "a box without eight corners")                                            \
    FLAW(draw(m, "wheel", RESIDA_PART_CYLINDER, 2), "a part with a wrong number of points")                            \
    FLAW(draw(m, "beam", RESIDA_PART_BEAM, 6), "a part with a wrong number of points")                                 \
    FLAW(draw(m, "force", RESIDA_PART_ARROW, 2), "an arrow without the name of an output")                             \
    FLAW(draw(m, "rod", RESIDA_PART_MESH + 1, 2), "a part of an unknown kind")                                         \
    FLAW(draw(m, "ro\nd", RESIDA_PART_LINE, 2), "names of parts with control characters")                              \
    FLAW(m->n_outputs = -1, "n_outputs negative")                                                                      \
    FLAW((tell(m, "force", "energy"), m->output = NULL), "output NULL, with n_outputs")                                \
    FLAW(tell(m, "force", ""), "an output without a name")                                                             \
    FLAW(tell(m, "force", "ener\ngy"), "names or units of outputs with control characters")                            \
    FLAW(m->p_units = odd_units, "names or units of components with control characters")                               \
    FLAW(tell(m, "force", "force"), "two outputs of one name")

#define WORDS(spoil, words) words,
#define SPOIL(spoil, words)                                                                                            \
    if (k-- == 0) spoil;

static const char *const flaws[] = {FLAWS(WORDS)};

static void spoil(resida_model *m)
{
    int k = tool.flaw;
    FLAWS(SPOIL)
}

CLAIM_WITH(what_create_forgot_is_named_and_its_memory_freed, fresh, NULL)
{
    for (tool.spoil = spoil; tool.flaw < (int)(sizeof flaws / sizeof *flaws); tool.flaw++) {
        expect_failure(set(0, NULL, 0, NULL, 0), RESIDA_ERR_MODEL, flaws[tool.flaw]);
        assert_int_equal(tool.destroys, tool.flaw + 1);
    }
}

CLAIM_WITH(an_option_that_is_no_word_of_a_command_line_is_refused_by_name, fresh, NULL)
{
    static const char *const bad[] = {"", "-n", "a b", "Rods", "rods=", "rods\n", "a-name-that-has-32-letters-in-all"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const options[3] = {NULL, bad[i], NULL};
        resida_model_class cls = good;
        cls.options = options;
        expect_failure(resida_model_create(&cls, 0, NULL, NULL, &model, &why), RESIDA_ERR_MODEL, "of parameter \"");
    }
    assert_int_equal(tool.creates, 0);
    const char *const options[3] = {"rods", NULL, "speed-2"};
    resida_model_class cls = good;
    cls.options = options;
    assert_int_equal(resida_model_create(&cls, 0, NULL, NULL, &model, &why), RESIDA_OK);
    resida_model_destroy(&cls, &model);
}
