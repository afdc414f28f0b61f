/* test_command_mutants.c - whatever bytes of a plugin are wrong, the command runs it or refuses it in words; it never
 * dies of it, and leaves nothing behind.
 *
 * Mutants are the good plugin (RESIDA_PLUGIN) with one to four bytes changed, the same ones on every machine; half of
 * the changes are where headers and tables of symbols are. RESIDA_TEST_MUTANTS says how many are tried, and
 * RESIDA_TEST_FIRST which is the first one. */
#include <signal.h>
#include <unistd.h>

#include "command_fixture.h"

enum { N_MUTANTS = 150, TABLES = 4096, CHANGES_MAX = 4, CODES = 3 };

static test_file good;

static int set_up(void **state)
{
    good = test_file_read(test_environment("RESIDA_PLUGIN"));
    return command_set_up(state);
}

static int tear_down(void **state)
{
    return command_tear_down(state);
}

/* Knuth's MMIX constants. */
static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/** Mutant k in the place of the one before, as a new file. */
static void make_mutant(long k)
{
    static const unsigned char favourites[] = {0x00, 0xff, 0x7f, 0x80, 0x01};
    uint64_t random = (uint64_t)k * 2654435761u + 12345;
    char *bytes = claims_zeros(good.size, 1);
    assert_non_null(bytes);
    memcpy(bytes, good.bytes, good.size);
    for (int i = 0; i < 5; i++) next_random(&random); /* neighbours shall differ */
    for (uint64_t n = 1 + next_random(&random) % CHANGES_MAX; n > 0; n--) {
        size_t range = next_random(&random) % 2 && good.size > TABLES ? TABLES : good.size;
        size_t place = next_random(&random) % range;
        uint64_t value = next_random(&random);
        bytes[place] = (char)(next_random(&random) % 2 ? favourites[value % sizeof favourites] : value & 0xff);
    }
    unlink("mutant.so");
    test_file_write("mutant.so", bytes, good.size);
}

/** Is the last line one of the command's? The C library may have complained about its heap before. */
static int ends_in_words(const char *text)
{
    const char *last = text;
    for (const char *c = text; *c; c++)
        if (*c == '\n' && c[1]) last = c + 1;
    return strncmp(last, "resida: ", 8) == 0;
}

/** What is wrong with the end of a run; NULL: nothing. Nothing is printed that a terminal would obey. */
static const char *fault_of(const command_result *r)
{
    if (r->code < 0 || r->code >= CODES) return "ended oddly";
    if (r->code != 0 && !ends_in_words(r->err.bytes)) return "said no word";
    const test_file *said[] = {&r->out, &r->err};
    for (int f = 0; f < 2; f++)
        for (size_t i = 0; i < said[f]->size; i++)
            if (((unsigned char)said[f]->bytes[i] < ' ' && said[f]->bytes[i] != '\n') || said[f]->bytes[i] == 0x7f)
                return "printed a control character";
    return NULL;
}

static long from_environment(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

CLAIM_WITH(mutants_of_a_plugin_never_crash_the_command, set_up, tear_down)
{
    long first = from_environment("RESIDA_TEST_FIRST", 0), n = from_environment("RESIDA_TEST_MUTANTS", N_MUTANTS);
    long codes[CODES] = {0}, deaths = 0, faults = 0;
    for (long k = first; k < first + n; k++) {
        alarm(120);
        make_mutant(k);
        command_result r = command_run("solve ./mutant.so --t-end 0.05 --points 2 --time-limit 2 --quiet --out a.csv");
        const char *fault = fault_of(&r);
        unlink("a.csv");
        unlink("a.partial.csv");
        if (!fault && command_files() != 1) fault = "left a file behind";
        if (fault) print_error("mutant %ld %s: exit code %d, %s\n", k, fault, r.code, r.err.bytes);
        faults += fault != NULL;
        codes[r.code >= 0 && r.code < CODES ? r.code : 1]++;
        deaths += strstr(r.err.bytes, "crashes") != NULL;
    }
    print_message("%ld mutants: %ld ran, %ld failed, %ld were refused; %ld would have crashed\n", n, codes[0], codes[1],
                  codes[2], deaths);
    assert_int_equal(faults, 0);
    assert_true(codes[0] > 0 && codes[2] > n / 20 && deaths > 0); /* the damage hits, and not always */
}
