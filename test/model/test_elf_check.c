/* test_elf_check.c - the look at a shared object as data: what passes, and that no damage can hurt it.
 *
 * The damaged files are only looked at, never loaded. */
#include "src/kits/plugin/model_impl.h"

#include <fcntl.h>
#include <unistd.h>
#include <resida/model.h>

#include "test/fixtures/file_util.h"

CLAIM(whole_shared_objects_of_this_machine_pass)
{
    resida_message why = {""};
    static const char *const names[] = {"plugin_sysv_hash.so", "plugin_gnu_hash.so", "plugin_nothing.so"};
    assert_int_equal(rsd_check_elf_file(test_environment("RESIDA_PLUGIN"), &why), RESIDA_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(rsd_check_elf_file(test_path(test_environment("RESIDA_TEST_MODULES"), names[i]), &why),
                         RESIDA_OK);
    assert_string_equal(why.text, "");
}

/* A small generator of our own: the same damage on every machine (Knuth's MMIX constants). */
static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Change one to four places of the file at `path`, look at it, and put it right again. */
static resida_status look_at_damage(int file, const char *path, const test_file *good, uint64_t *random)
{
    static const unsigned char favourites[] = {0x00, 0xff, 0x7f, 0x80, 0x01};
    size_t places[4], n = 1 + next_random(random) % 4;
    for (size_t i = 0; i < n; i++) {
        /* half of the damage where the tables are that the check reads */
        size_t range = next_random(random) % 2 && good->size > 2048 ? 2048 : good->size;
        places[i] = next_random(random) % range;
        unsigned char byte = next_random(random) % 2 ? favourites[next_random(random) % sizeof favourites]
                                                     : (unsigned char)next_random(random);
        assert_int_equal(pwrite(file, &byte, 1, (off_t)places[i]), 1);
    }
    resida_message why = {""};
    resida_status status = rsd_check_elf_file(path, &why);
    if (status != RESIDA_OK) assert_true(why.text[0] != 0 && strlen(why.text) < sizeof why.text);
    for (size_t i = 0; i < n; i++) assert_int_equal(pwrite(file, good->bytes + places[i], 1, (off_t)places[i]), 1);
    return status;
}

CLAIM(random_damage_is_refused_or_harmless)
{
    static const char *const kinds[] = {"plugin_sysv_hash.so", "plugin_gnu_hash.so"};
    enum { cases = 10000 };
    for (int k = 0; k < 2; k++) {
        const char *path = test_path(test_folder(), kinds[k]);
        test_file good = test_file_read(test_path(test_environment("RESIDA_TEST_MODULES"), kinds[k]));
        test_file_write(path, good.bytes, good.size);
        int file = open(path, O_RDWR);
        assert_true(file >= 0);
        uint64_t random = 20240229;
        int refused = 0;
        for (int i = 0; i < cases; i++) {
            resida_status status = look_at_damage(file, path, &good, &random);
            assert_true(status == RESIDA_OK || status == RESIDA_ERR_PLUGIN);
            refused += status != RESIDA_OK;
        }
        assert_int_equal(close(file), 0);
        assert_true(refused > cases / 20 && refused < cases); /* the damage hits, and not always */
    }
}

CLAIM(a_path_in_a_message_is_cut_at_its_front)
{
    assert_string_equal(rsd_shorten_path("model.so").text, "model.so");
    char path[400];
    memset(path, 'x', sizeof path);
    memcpy(path + sizeof path - 10, "/model.so", 10);
    rsd_shown_path shown = rsd_shorten_path(path);
    assert_int_equal(strlen(shown.text), sizeof shown.text - 1);
    assert_memory_equal(shown.text, "...xxx", 6);
    assert_string_equal(shown.text + sizeof shown.text - 10, "/model.so");
    path[sizeof shown.text - 1] = 0; /* just fits */
    assert_string_equal(rsd_shorten_path(path).text, path);
}
