/* test_text.c - a text is shown when no terminal can take it for a command, and every program for UTF-8. */
#include "base/text.h"
#include "test/fixtures/file_util.h"

static void expect_defect(const char *text, const char *words)
{
    const char *defect = rsd_text_find_defect(text);
    if (!defect || !strstr(defect, words)) fail_msg("\"%s\": %s", text, defect ? defect : "no defect");
}

CLAIM(utf_8_texts_of_all_languages_are_accepted)
{
    static const char *const texts[] = {"",
                                        "rod",
                                        "Masse [kg], \"x\" \\ ~",
                                        "\xc2\xa0",
                                        "\xc3\xa9",
                                        "\xdf\xbf",
                                        "\xe0\xa0\x80",
                                        "\xe6\x97\xa5\xe6\x9c\xac",
                                        "\xed\x9f\xbf",
                                        "\xee\x80\x80",
                                        "\xf0\x90\x80\x80",
                                        "\xf0\x9f\x9a\x82 train",
                                        "\xf4\x8f\xbf\xbf"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (rsd_text_find_defect(texts[i])) fail_msg("text %zu: %s", i, rsd_text_find_defect(texts[i]));
}

CLAIM(control_characters_are_found_at_every_position)
{
    for (int c = 1; c < 0xa0; c++) {
        char text[16] = "abc";
        size_t n = 3;
        if (c >= 0x20 && c < 0x7f) continue;
        if (c >= 0x80) text[n++] = '\xc2';
        text[n++] = (char)c;
        text[n] = 0;
        expect_defect(text, "control character");
        expect_defect(text + 3, "control character");
        strcat(text, "d");
        expect_defect(text, "control character");
    }
}

CLAIM(invalid_utf_8_is_found)
{
    static const char *const texts[] = {"\x80",
                                        "\xbf",
                                        "caf\xe9",
                                        "\xc0\xaf",
                                        "\xc1\xbf",
                                        "\xc3",
                                        "\xc3z",
                                        "\xe0\x9f\xbf",
                                        "\xe2\x82",
                                        "\xe2\x82z",
                                        "\xed\xa0\x80",
                                        "\xe2z\x82",
                                        "\xf0\x8f\xbf\xbf",
                                        "\xf0\x9f\x9a",
                                        "\xf0\x9f\x9az",
                                        "\xf4\x90\x80\x80",
                                        "\xf5\x80\x80\x80",
                                        "\xfe",
                                        "\xff\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) expect_defect(texts[i], "not UTF-8");
}

/** Two bytes each, alone: they are fine, control characters, or no UTF-8, by the tables and by counting. */
CLAIM(two_byte_sequences_are_checked_by_their_encoding)
{
    int fine = 0;
    for (int a = 1; a < 256; a++)
        for (int b = 1; b < 256; b++) {
            const char text[3] = {(char)a, (char)b, 0};
            fine += rsd_text_find_defect(text) == NULL;
        }
    assert_int_equal(fine, 95 * 95 + (0x800 - 0xa0)); /* two printable ones, or one from U+00A0 to U+07FF */
}
