/* check_contract.c - see check_contract.h. Output is caught at the file descriptors 1 and 2, so that nothing escapes
 * that some library below writes past stdio. Everything is given back before the first assertion, so that its words
 * are seen. */
#include "check_contract.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *sink; /* what was printed; made once, emptied for every call */
static int saved[2] = {-1, -1};

static void release_output(void)
{
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        if (saved[i] < 0) continue;
        dup2(saved[i], i + 1);
        close(saved[i]);
        saved[i] = -1;
    }
}

/* A test that crashed or failed between begin and end: show at least now what was said. */
static void show_at_exit(void)
{
    char text[4096];
    if (saved[0] < 0 && saved[1] < 0) return;
    release_output();
    rewind(sink);
    for (size_t got; (got = fread(text, 1, sizeof text, sink)) > 0;) fwrite(text, 1, got, stderr);
}

static void catch_output(void)
{
    if (!sink) {
        sink = tmpfile();
        atexit(show_at_exit);
    }
    assert_non_null(sink);
    release_output();
    int failed = ftruncate(fileno(sink), 0) != 0 || lseek(fileno(sink), 0, SEEK_SET) != 0;
    for (int i = 0; i < 2; i++) saved[i] = dup(i + 1);
    for (int i = 0; i < 2; i++) failed |= saved[i] < 0 || dup2(fileno(sink), i + 1) < 0;
    if (failed) release_output();
    assert_false(failed);
}

/* Bytes printed since catch_output(), of which `text` [size] gets the first. */
static long printed(char *text, size_t size)
{
    release_output();
    long bytes = (long)lseek(fileno(sink), 0, SEEK_END);
    ssize_t got = pread(fileno(sink), text, size - 1, 0);
    text[got > 0 ? got : 0] = 0;
    return bytes;
}

static void *copy_of(const void *array, size_t bytes)
{
    void *copy = malloc(bytes ? bytes : 1);
    if (!copy) abort();
    return memcpy(copy, array, bytes);
}

void contract_begin(contract *c, resida_solver *s)
{
    *c = (contract){.s = s};
    resida_state state;
    resida_stats stats = {.size = sizeof stats};
    if (s && resida_solver_state(s, &state) == RESIDA_OK) {
        assert_int_equal(resida_solver_stats(s, &stats), RESIDA_OK);
        c->n = stats.n;
        c->started = 1;
        c->t = state.t;
        c->y = copy_of(state.y, (size_t)c->n * sizeof *c->y);
        c->yp = copy_of(state.yp, (size_t)c->n * sizeof *c->yp);
    }
    catch_output();
}

void contract_keep(contract *c, const void *array, size_t bytes)
{
    if (c->n_kept == CONTRACT_MAX_ARRAYS) abort();
    c->kept[c->n_kept].array = array;
    c->kept[c->n_kept].bytes = bytes;
    c->kept[c->n_kept++].copy = copy_of(array, bytes);
}

static void forget(contract *c)
{
    for (int i = 0; i < c->n_kept; i++) free(c->kept[i].copy);
    free(c->y);
    free(c->yp);
    *c = (contract){.s = NULL};
}

static void check_nothing_printed(void)
{
    char text[200];
    long bytes = printed(text, sizeof text);
    if (bytes != 0) fail_msg("%ld bytes printed: %s", bytes, text);
}

static void check_message(const char *message)
{
    assert_non_null(message);
    assert_true(message[0] != 0);
    assert_null(strchr(message, '\n'));
    assert_true(strlen(message) < RESIDA_MESSAGE_SIZE);
}

static void check_same_bits(const char *what, const void *now, const void *before, size_t bytes)
{
    if (memcmp(now, before, bytes) != 0) fail_msg("%s changed during a failing call", what);
}

static void check_finite(const char *what, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) fail_msg("%s[%d] = %g after a failing call", what, i, x[i]);
}

static void check_state(const contract *c, int stepped)
{
    resida_state state;
    resida_status status = resida_solver_state(c->s, &state);
    if (!c->started) { /* only a start can make a state, and a failed one does not */
        assert_int_equal(status, RESIDA_ERR_STATE);
        return;
    }
    assert_int_equal(status, RESIDA_OK);
    size_t bytes = (size_t)c->n * sizeof(double);
    if (stepped) {
        assert_true(isfinite(state.t) && state.t >= c->t);
        check_finite("y", state.y, c->n);
        check_finite("yp", state.yp, c->n);
        resida_state again;
        assert_int_equal(resida_solver_state(c->s, &again), RESIDA_OK);
        check_same_bits("t", &again.t, &state.t, sizeof state.t);
    } else {
        check_same_bits("t", &state.t, &c->t, sizeof c->t);
    }
    if (!stepped || state.t == c->t) {
        check_same_bits("y", state.y, c->y, bytes);
        check_same_bits("yp", state.yp, c->yp, bytes);
    }
}

void contract_end(contract *c)
{
    forget(c);
    check_nothing_printed();
}

void check_contract(contract *c, resida_status status, int flags, const char *message)
{
    check_nothing_printed();
    if (status >= 0) fail_msg("status %d (%s), a failure was expected", (int)status, resida_status_name(status));
    if (!(flags & CONTRACT_NO_MESSAGE)) check_message(message ? message : resida_solver_message(c->s));
    for (int i = 0; i < c->n_kept; i++)
        check_same_bits("an array of the caller", c->kept[i].array, c->kept[i].copy, c->kept[i].bytes);
    if (c->s) check_state(c, flags & CONTRACT_STEPPED);
    if (c->s && flags & CONTRACT_FREE) {
        catch_output();
        resida_solver_free(c->s);
        check_nothing_printed();
    }
    forget(c);
}
