/* test_words.c - parameters of models that are texts. */
#include <resida/model.h>

#include "test/fixtures/file_util.h"

/* A class with a text among its parameters, which keeps what it was given. */
static const double start[1] = {1};
static char given_words[3][16];
static double given_numbers[3];
static int creates;
static const resida_model_class *expected_cls;
static resida_model model;
static resida_message why;

static int create_of_words(const double *values, resida_model *m, resida_message *reason)
{
    for (int i = 0; i < 3; i++) snprintf(given_words[i], sizeof given_words[i], "%s", m->words[i] ? m->words[i] : "-");
    for (int i = 0; i < 3; i++) given_numbers[i] = values[i];
    creates++;
    assert_ptr_equal(m->cls, expected_cls);
    m->is_dae = 1;
    m->dae.n = 1;
    m->y0 = start;
    m->t_end = 1;
    m->rtol = 1e-6;
    return 0;
}

static const resida_parameter with_text[3] = {
    {"n", 14, 1, 1000, 1, "-", "rods", NULL},
    {.name = "file", .unit = "-", .text = "a file", .word = "arm.urdf"},
    {"omega", 0, -INFINITY, INFINITY, 0, "rad/s", "speed", NULL},
};

static const resida_model_class wordy = {
    RESIDA_MODEL_HEAD, "chain", "rods on joints", 3, with_text, create_of_words, NULL, NULL};

static void expect_failure(resida_status status, const char *words)
{
    assert_int_equal(status, RESIDA_ERR_ARGUMENT);
    if (!strstr(why.text, words)) fail_msg("\"%s\" does not say \"%s\"", why.text, words);
}

CLAIM(texts_reach_a_model_beside_numbers)
{
    expected_cls = &wordy;
    assert_int_equal(resida_model_create(&wordy, 0, NULL, NULL, &model, &why), RESIDA_OK);
    assert_string_equal(given_words[1], "arm.urdf");
    assert_null(model.words); /* for the time of create() */
    resida_model_destroy(&wordy, &model);
    const resida_setting set[] = {{"file", 0, "leg.urdf"}, {"n", 3, NULL}};
    assert_int_equal(resida_model_create_with(&wordy, 2, set, &model, &why), RESIDA_OK);
    assert_string_equal(given_words[0], "-");
    assert_string_equal(given_words[1], "leg.urdf");
    assert_true(given_numbers[0] == 3 && given_numbers[2] == 0);
    resida_model_destroy(&wordy, &model);
}

CLAIM(a_text_for_a_number_and_the_reverse_are_refused)
{
    const int before = creates;
    const char *name = "file";
    expect_failure(resida_model_create(&wordy, 1, &name, &(double){1}, &model, &why),
                   "chain: file is a text, not a number");
    const resida_setting number = {"n", 0, "3"}, odd = {"file", 0, "a\033b"};
    expect_failure(resida_model_create_with(&wordy, 1, &number, &model, &why), "chain: n is a number, not a text");
    expect_failure(resida_model_create_with(&wordy, 1, &odd, &model, &why), "the text of file has a control character");
    assert_int_equal(creates, before);
}
