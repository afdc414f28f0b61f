/* starve.c - see starve.h. The result of a child comes back through a pipe, which holds it whole. */
#include "starve.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST_LIFE_S = 600, MAX_REPORTS = 20 };

/* In the child: the life, with stdout and stderr caught. */
static starved live(const supply *from, life_fn *run, long fail_at, int for_ever)
{
    starved result = {.life = {.allocator = from->allocator, .again = !for_ever}};
    FILE *caught = tmpfile();
    if (!caught || dup2(fileno(caught), 1) < 0 || dup2(fileno(caught), 2) < 0) _exit(99);
    from->begin(fail_at, for_ever);
    run(&result.life);
    result.books = from->end();
    fflush(stdout);
    result.printed = (long)lseek(fileno(caught), 0, SEEK_END);
    if (pread(fileno(caught), result.text, sizeof result.text - 1, 0) < 0) _exit(99);
    return result;
}

static starved starve(const supply *from, life_fn *run, long fail_at, int for_ever)
{
    starved result = {.printed = 0};
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        for (int i = 1; i < 32; i++) signal(i, SIG_DFL); /* cmocka would catch a crash and go on in the child */
        alarm(LONGEST_LIFE_S);
        result = live(from, run, fail_at, for_ever);
        _exit(write(ends[1], &result, sizeof result) != (ssize_t)sizeof result);
    }
    close(ends[1]);
    int whole = read(ends[0], &result, sizeof result) == (ssize_t)sizeof result;
    close(ends[0]);
    assert_true(waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status)) result.died = WTERMSIG(status);
    if (WIFEXITED(status) && (WEXITSTATUS(status) != 0 || !whole)) result.died = 256 + WEXITSTATUS(status);
    return result;
}

static int status_is_right(const life *l)
{
    if (l->status >= 0) return l->finished;
    return l->starved && l->message[0] != 0 && strchr(l->message, '\n') == NULL;
}

static int find_faults(const starved *r, const life *whole, int for_ever)
{
    if (r->died) return STARVED_DIED;
    const life *l = &r->life;
    int faults = 0;
    if (r->books.live != 0 || r->books.foreign != 0) faults |= STARVED_LEAKED;
    if (r->printed != 0) faults |= STARVED_PRINTED;
    if (!status_is_right(l)) faults |= STARVED_STATUS;
    if (!for_ever && (!l->finished || memcmp(l->y, whole->y, sizeof l->y) != 0)) faults |= STARVED_DIFFERENT;
    return faults;
}

static void report(const char *name, long k, int for_ever, const starved *r, int faults)
{
    print_message("%s, allocation %ld fails %s:%s%s%s%s%s\n", name, k, for_ever ? "for ever" : "once",
                  faults & STARVED_DIED ? " died" : "", faults & STARVED_LEAKED ? " leaked" : "",
                  faults & STARVED_PRINTED ? " printed" : "", faults & STARVED_STATUS ? " wrong status" : "",
                  faults & STARVED_DIFFERENT ? " different end" : "");
    print_message("    died %d, live %ld, foreign %ld, status %d in %s: %s; at %s; printed %ld: %s\n", r->died,
                  r->books.live, r->books.foreign, (int)r->life.status, r->life.call, r->life.message, r->site,
                  r->printed, r->text);
}

/* Lives of this process. Only the third counts: what libraries make once and keep is of no interest. */
static starved undisturbed(const supply *from, life_fn *run)
{
    starved whole = {.printed = 0};
    for (int i = 0; i < 3; i++) {
        whole.life = (life){.allocator = from->allocator};
        from->begin(0, 0);
        run(&whole.life);
        whole.books = from->end();
    }
    assert_int_equal(find_faults(&whole, &whole.life, 0), 0);
    assert_true(whole.books.allocations > 0 && whole.books.failed == 0 && whole.life.finished);
    return whole;
}

static void judge(hunger *sum, const char *name, long k, int for_ever, const starved *r, int faults)
{
    if (faults == 0) return;
    sum->crashes += r->died != 0;
    sum->leaks += (faults & STARVED_LEAKED) != 0;
    sum->others += (faults & ~(STARVED_DIED | STARVED_LEAKED)) != 0;
    if (sum->reports++ < MAX_REPORTS) report(name, k, for_ever, r, faults);
}

static hunger say(const supply *from, const char *name, hunger sum)
{
    print_message("%s, %s: %ld sites, %ld lives, %ld crashes, %ld leaks, %ld other faults, %ld known ones\n", name,
                  from->name, sum.sites, sum.lives, sum.crashes, sum.leaks, sum.others, sum.known);
    return sum;
}

hunger starve_everywhere(const supply *from, const char *name, life_fn *run, starve_known *known)
{
    starved whole = undisturbed(from, run);
    hunger sum = {.sites = whole.books.allocations};
    for (long k = 1; k <= sum.sites; k += claims_one_of())
        for (int for_ever = 0; for_ever < 2; for_ever++) {
            starved r = starve(from, run, k, for_ever);
            if (from->site) from->site(k, r.site, sizeof r.site);
            int faults = find_faults(&r, &whole.life, for_ever);
            if (r.died == 0) assert_true(r.books.failed > 0);
            sum.lives++;
            if (faults != 0 && known && known(&r, faults))
                sum.known++;
            else
                judge(&sum, name, k, for_ever, &r, faults);
        }
    return say(from, name, sum);
}

hunger starve_on_a_budget(const supply *from, const char *name, life_fn *run, long step)
{
    hunger sum = {.sites = 0};
    starved r = undisturbed(from, run);
    const life whole = r.life;
    for (int enough = 0; !enough; sum.lives = ++sum.sites) {
        const long bytes = (sum.sites + 1) * step * claims_one_of();
        r = starve(from, run, bytes, 1);
        judge(&sum, name, bytes, 1, &r, find_faults(&r, &whole, 1));
        enough = r.died == 0 && r.books.failed == 0;
        assert_true(sum.sites < 100000);
    }
    return say(from, name, sum);
}
