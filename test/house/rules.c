/* rules.c - the walk over the sources. */
#include "rules.h"

#include "test/fixtures/file_util.h"

typedef struct verdict {
    rule *broken;
    int files, broken_files;
} verdict;

const char *const rule_product[] = {"include",    "base",    "src",     "jacobian", "adapters",
                                    "benchmarks", "command", "program", "examples", NULL};
const char *const rule_everything[] = {"include", "base",    "src",      "jacobian", "adapters", "benchmarks",
                                       "command", "program", "examples", "test",     NULL};

static void judge(const char *path, const char *text, void *context)
{
    verdict *sum = context;
    char why[RULE_WHY] = "";
    sum->files++;
    if (sum->broken(path, text, why)) {
        print_error("%s: %s\n", path, why);
        sum->broken_files++;
    }
}

void rule_all_obey(rule *broken, const char *const *folders)
{
    verdict sum = {broken, 0, 0};
    for (; *folders; folders++) test_each_source(*folders, judge, &sum);
    assert_true(sum.files > 5); /* the walk found them */
    assert_int_equal(sum.broken_files, 0);
}

void rule_breaks(rule *broken, const char *path, const char *text)
{
    char why[RULE_WHY] = "";
    if (!broken(path, text, why)) fail_msg("the rule lets pass: %s: %s", path, text);
    assert_true(why[0] != 0);
}

void rule_obeys(rule *broken, const char *path, const char *text)
{
    char why[RULE_WHY] = "";
    if (broken(path, text, why)) fail_msg("the rule refuses: %s: %s (%s)", path, text, why);
}
