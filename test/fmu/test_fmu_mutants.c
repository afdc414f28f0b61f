/* test_fmu_mutants.c - damaged archives, as many as the argument says: each is refused in words, or is sound, and
 * nothing of it stays in the folder of temporary files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <resida/model.h>

#include "fmu_fixture.h"
#include "test/command/command_fixture.h"
#include "test/fixtures/bench_fixture.h"

enum { DECIMAL = 10, LIST = 700 /* bytes: the list of files, at the end */ };

static long mutants;

static int set_up(void **state)
{
    const int set = command_set_up(state);
    return set != 0 ? set : setenv("TMPDIR", command_folder(), 1);
}

static int tear_down(void **state)
{
    unsetenv("TMPDIR");
    return command_tear_down(state);
}

/* Bytes changed, parts cut out, the end missing. Check sums keep changed binaries from being loaded, so the library may
 * open all of them in this process. */
CLAIM_WITH(mutants_are_refused_in_words_or_sound, set_up, tear_down)
{
    fmu_make("oscillator3");
    test_file good = test_file_read("oscillator3.fmu");
    char *bad = claims_zeros(good.size, 1);
    assert_non_null(bad);
    resida_plugin_handle *open = NULL;
    const resida_model_class *own = NULL;
    assert_int_equal(resida_plugin_open(&open, "oscillator3.fmu", &own, NULL), RESIDA_OK);
    uint64_t seed = 1;
    int refused = 0;
    for (int k = 0; k < mutants; k++) {
        size_t size = good.size;
        memcpy(bad, good.bytes, size);
        const double where = (bench_random(&seed) + 1) / 2, what = (bench_random(&seed) + 1) / 2;
        const size_t tail = size < LIST ? size : LIST;
        size_t at = k % 2 ? (size_t)(where * (double)(size - 1)) : size - 1 - (size_t)(where * (double)(tail - 1));
        if (k % 7 == 0)
            size = at;
        else
            for (int n = k % 3; n >= 0 && at < size; n--, at++) bad[at] ^= (char)(unsigned char)(1 + what * 254);
        test_file_write("mutant.fmu", bad, size);
        resida_plugin_handle *plugin = NULL;
        const resida_model_class *cls = NULL;
        resida_message why = {""};
        const resida_status status = resida_plugin_open(&plugin, "mutant.fmu", &cls, &why);
        if (status < 0) assert_true(strlen(why.text) > strlen("mutant.fmu: "));
        refused += status < 0;
        resida_plugin_close(plugin);
    }
    assert_true(refused > mutants / 2);
    resida_plugin_close(open);
    assert_int_equal(fmu_left_behind(command_folder()), 0);
    test_file_free(&good);
}

int main(int n, char **arguments)
{
    mutants = n > 1 ? strtol(arguments[1], NULL, DECIMAL) : 0;
    return claims_run(NULL, NULL);
}
