/* command_fixture.h - runs the command `resida` (RESIDA_BIN), or the laboratory (RESIDA_BENCH), and keeps what it says.
 * Every failure ends the test. */
#ifndef RESIDA_TEST_COMMAND_FIXTURE_H
#define RESIDA_TEST_COMMAND_FIXTURE_H

#include <sys/types.h>

#include <jansson.h>

#include "test/fixtures/file_util.h"

/** 1: the programs are built with the address sanitizer, which makes calls slower and takes some signals. */
#if defined(__SANITIZE_ADDRESS__)
#define COMMAND_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COMMAND_SANITIZED 1
#endif
#endif
#ifndef COMMAND_SANITIZED
#define COMMAND_SANITIZED 0
#endif

/** What a run said. */
typedef struct command_result {
    int code; /**< exit code; -signal when one ended it */
    test_file out, err;
} command_result;

/** A run that is under way. */
typedef struct command {
    pid_t pid;
    char out[96], err[96]; /**< files that take its output; "" when it goes elsewhere */
} command;

/** What cmocka calls before and after a test: it works in a new folder, which is empty, and finds PATH as it was.
 *  @return 0 */
int command_set_up(void **state);
int command_tear_down(void **state);
#define COMMAND_CLAIM(name)     CLAIM_WITH(name, command_set_up, command_tear_down)
#define command_unit_test(test) cmocka_unit_test_setup_teardown(test, command_set_up, command_tear_down)

/** Where that folder is. */
const char *command_folder(void);

/** Without gnuplot the test is skipped. */
void command_needs_gnuplot(void);

/** Options of the address sanitizer for runs from now on, beside those of the environment. Without it they say nothing
 *  to anybody. */
void command_sanitizer_option(const char *options);

/** Start `resida` with the words of a line, separated by blanks ('~' stands for a blank within a word); `resida-bench`
 *  where that is the first word. Output goes to these descriptors, or is kept where they are < 0. */
void command_start_to(command *c, const char *line, int out, int err);
void command_start(command *c, const char *line);

/** Wait until it has had that much time of a processor, children not counted: a busy machine takes longer for it. */
void command_let_work(const command *c, double seconds);

/** Wait for its end. The result is freed with the claim. */
command_result command_finish(command *c);

/** Start and finish; the second form with standard output to a descriptor. */
command_result command_run(const char *line);
command_result command_run_to(const char *line, int out);

/** Start and finish; it must end with code 0, and say nothing on stderr. */
command_result command_run_well(const char *line);

/** "VERB .../plugin_variants.so -p variant=K REST", in a buffer that the next call overwrites. */
const char *command_about_variant(const char *verb, int variant, const char *rest);

/** Words of a run of minutes: what ends it early shows, for the alarm would end it late. */
#define COMMAND_LONG_RUN "solve pendulum --t-end 1e6 --every 0.01 "

/** What a page of --animate holds to draw. */
json_t *command_page_data(const char *path);

/** Row k of a CSV text, k = 0 after the header: numbers x [n]. @return how many the row has, 0 when there is none */
int command_csv_row(const char *text, int k, double *x, int n);

/** The file holds whole rows of n numbers, as a run of COMMAND_LONG_RUN writes them, and more than ten. */
void command_expect_whole_rows(const char *path, int n);

/** Lines of a text, counted by line feeds. */
int command_lines(const char *text);

/** Wait until the run writes to a file that no folder lists, and has so many bytes there. The alarm ends it. */
void command_wait_for_rows(const command *c, long bytes);

/** Files in the folder, hidden ones too. */
int command_files(void);

/** The result is a complaint: this exit code, one line on stderr that begins with the name of the program and
 *  ": ", nothing on stdout. */
#define command_expect_complaint(r, line, code) command_expect_complaint_at((r), (line), (code), __FILE__, __LINE__)
void command_expect_complaint_at(const command_result *r, const char *line, int code, const char *file, int where);

/** The words are in the text, which is there. */
void command_expect_words(const char *text, const char *words);

/** Run it: the result is a complaint that has these words. */
void command_expect_refusal(const char *line, int code, const char *words);

/** The same of n lines, which leave no file. */
typedef struct command_refusal {
    const char *line;
    int code;
    const char *words;
} command_refusal;
void command_expect_refusals(const command_refusal *of, size_t n);

/** Start it, and interrupt it after a second: it ends with code 130, prints nothing, and leaves no file. */
void command_expect_interruption(const char *line);

/** Parse the JSON value at the start of text. Text after the value is ignored. Freed with the claim. */
json_t *command_json_at(const char *text);

/** The only line of stdout as a JSON object; like all rows of this header it is freed with the claim. */
json_t *command_row(const command_result *r);

/** The next line of a text as a JSON object; *rest is moved to the line after it. */
json_t *command_next_row(char **rest);

/** Run it: it must end with this code, say nothing on stderr where that is 0, and print one JSON object. */
json_t *command_json(const char *line, int code);

/** Members by a path such as "residual_calls.total"; the test ends when there is none of that type. */
json_t *command_member(const json_t *row, const char *path);
double command_number(const json_t *row, const char *path);
const char *command_word(const json_t *row, const char *path);

#endif
