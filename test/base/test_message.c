/* test_message.c - reasons in words: cut to size, appended, and with a decimal point in every locale. */
#include "base/message.h"

#include <locale.h>

#include "test/fixtures/file_util.h"

CLAIM(the_status_is_passed_on_with_and_without_a_message)
{
    resida_message why;
    assert_int_equal(rsd_fail(&why, RESIDA_ERR_OPTION, "rtol = %g, must be > %d", -0.5, 0), RESIDA_ERR_OPTION);
    assert_string_equal(why.text, "rtol = -0.5, must be > 0");
    assert_int_equal(rsd_fail(NULL, RESIDA_ERR_MODEL, "%s", "unheard"), RESIDA_ERR_MODEL);
    rsd_message_append(NULL, "%s", "unheard");
}

CLAIM(a_new_message_replaces_the_old_one)
{
    resida_message why;
    rsd_fail(&why, RESIDA_ERR_OPTION, "a long first reason");
    rsd_fail(&why, RESIDA_ERR_OPTION, "short");
    assert_string_equal(why.text, "short");
}

/* 52 words of six characters, of which 52 * 6 + 3 fit; a name in UTF-8 is not cut within a character. */
CLAIM(a_long_message_ends_with_a_whole_word_and_dots)
{
    resida_message why = {""};
    for (int i = 0; i < 100; i++) rsd_message_append(&why, "word%d ", i % 10);
    assert_int_equal(strlen(why.text), 52 * 6 - 1 + strlen(" ..."));
    rsd_message_append(&why, "z"); /* for which there would be room */
    assert_string_equal(why.text + 51 * 6, "word1 ...");
    char longer[RESIDA_MESSAGE_SIZE + 2] = "";
    for (int i = 0; i < RESIDA_MESSAGE_SIZE; i += 2) memcpy(longer + i, "\xc3\xa4", 3);
    rsd_fail(&why, RESIDA_ERR_MODEL, "x%s", longer);
    size_t n = strlen(why.text);
    assert_string_equal(why.text + n - 6, "\xc3\xa4 ...");
}

CLAIM(a_part_of_a_message_that_is_too_long_ends_with_a_whole_word_and_dots)
{
    char text[24], name[8];
    rsd_write(text, sizeof text, "the %s of an arm", "first link");
    assert_string_equal(text, "the first link of ...");
    rsd_append(text, sizeof text, "b");
    assert_string_equal(text, "the first link of ...");
    rsd_write(text, sizeof text, "the arm");
    rsd_append(text, sizeof text, ", %d", 3);
    assert_string_equal(text, "the arm, 3");
    rsd_write(name, sizeof name, "shoulder");
    assert_string_equal(name, "sho ...");
}

CLAIM(append_continues_at_the_end_of_the_message)
{
    resida_message why = {""};
    rsd_message_append(&why, "p[%d]", 3);
    rsd_message_append(&why, ", %s", "lam[0]");
    assert_string_equal(why.text, "p[3], lam[0]");
}

/* A message with a guard behind it, which must stay as it is. */
typedef struct guarded {
    resida_message why;
    char guard[64];
} guarded;

CLAIM(a_long_message_is_cut_and_closed)
{
    char longer[2 * RESIDA_MESSAGE_SIZE];
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = 0;
    guarded g;
    memset(&g, 'g', sizeof g);
    rsd_fail(&g.why, RESIDA_ERR_MODEL, "%s", longer);
    assert_int_equal(strlen(g.why.text), RESIDA_MESSAGE_SIZE - 1);
    rsd_message_append(&g.why, "%s", longer); /* already full */
    assert_int_equal(strlen(g.why.text), RESIDA_MESSAGE_SIZE - 1);
    rsd_fail(&g.why, RESIDA_ERR_MODEL, "%s", "short");
    rsd_message_append(&g.why, "%s", longer);
    assert_int_equal(strlen(g.why.text), RESIDA_MESSAGE_SIZE - 1);
    assert_memory_equal(g.why.text, "shortaaa", 8);
    for (size_t i = 0; i < sizeof g.guard; i++) assert_int_equal(g.guard[i], 'g');
}

CLAIM(numbers_have_a_decimal_point_in_every_locale)
{
    test_comma_locale(test_folder());
    assert_int_equal(setenv("LOCPATH", test_folder(), 1), 0);
    const char *set = setlocale(LC_NUMERIC, "comma");
    assert_int_equal(unsetenv("LOCPATH"), 0);
    if (!set) fail_msg("localedef made no locale");

    const char *plain = claims_text("%g", 2.5);
    assert_string_equal(plain, "2,5"); /* so that the claim is tested at all */
    resida_message why;
    rsd_fail(&why, RESIDA_ERR_OPTION, "%g", 2.5);
    rsd_message_append(&why, " %.2f", 0.25);
    assert_string_equal(why.text, "2.5 0.25");
    plain = claims_text("%g", 2.5);
    assert_string_equal(plain, "2,5"); /* the process is left as it was */
    assert_non_null(setlocale(LC_NUMERIC, "C"));
}

static int steps_done;

static resida_status step(resida_status status)
{
    steps_done++;
    return status;
}

static resida_status three_steps(resida_status second)
{
    RSD_TRY(step(RESIDA_OK));
    RSD_TRY(step(second));
    RSD_TRY(step(RESIDA_OK));
    return RESIDA_OK;
}

CLAIM(a_list_of_steps_ends_at_the_first_failure_but_not_at_a_positive_status)
{
    steps_done = 0;
    assert_int_equal(three_steps(RESIDA_ERR_NEWTON), RESIDA_ERR_NEWTON);
    assert_int_equal(steps_done, 2);
    steps_done = 0;
    assert_int_equal(three_steps(RESIDA_EVENT), RESIDA_OK);
    assert_int_equal(steps_done, 3);
}
