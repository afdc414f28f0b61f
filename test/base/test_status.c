/* test_status.c - names of the status codes, against the header as it stands in the source folder. */
#include <resida/status.h>

#include "test/fixtures/file_util.h"

/* The codes of the header, read as text: "RESIDA_... = number". */
static int next_code(const char **at, char *name, int *number)
{
    for (; (*at = strstr(*at, "RESIDA_")) != NULL; (*at)++) {
        int length = 0;
        if (sscanf(*at, "%60[A-Z_0-9] = %d%n", name, number, &length) == 2 && length > 0) {
            *at += length;
            return 1;
        }
    }
    return 0;
}

CLAIM(every_status_of_the_header_has_its_own_name)
{
    test_file header = test_file_read(test_path(test_environment("RESIDA_SOURCE"), "include/resida/status.h"));
    const char *at = strstr(header.bytes, "typedef enum resida_status");
    assert_non_null(at);
    char name[61];
    int number, codes = 0, named = 0;
    while (next_code(&at, name, &number)) {
        assert_string_equal(resida_status_name((resida_status)number), name);
        codes++;
    }
    for (int i = -1000; i <= 1000; i++) named += strcmp(resida_status_name((resida_status)i), "unknown") != 0;
    assert_int_equal(named, codes); /* so that no number stands twice and none is named that the header lacks */
    assert_true(codes >= 25);
}

CLAIM(numbers_of_statuses_never_change)
{
    assert_int_equal(RESIDA_OK, 0);
    assert_int_equal(RESIDA_EVENT, 2);
    assert_int_equal(RESIDA_ERR_ARGUMENT, -1);
    assert_int_equal(RESIDA_ERR_NEWTON, -11);
    assert_int_equal(RESIDA_ERR_PLUGIN, -19);
    assert_int_equal(RESIDA_ERR_INTERNAL, -99);
}

CLAIM(an_unknown_status_number_has_the_name_unknown)
{
    assert_string_equal(resida_status_name((resida_status)77), "unknown");
    assert_string_equal(resida_status_name((resida_status)-1000000), "unknown");
}

CLAIM(version_text_is_made_of_the_version_numbers)
{
    const char *text = claims_text("%d.%d.%d", RESIDA_VERSION_MAJOR, RESIDA_VERSION_MINOR, RESIDA_VERSION_PATCH);
    assert_string_equal(RESIDA_VERSION, text);
    assert_string_equal(resida_version(), text);
}
