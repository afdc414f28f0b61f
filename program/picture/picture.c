/* picture.c - runs gnuplot in a process. Script, picture and error messages are in unnamed files, so that no pipe can
 * fill up, and only a complete picture is copied to the result. The user's settings of gnuplot (~/.gnuplot) are
 * ignored. */
#include "picture.h"

#include "palette.h"
#include "program/process/subprocess.h"
#include "program/base/complain.h"
#include "program/process/signals.h"

#include <errno.h>
#include <resida_features.h>
#include <stdlib.h>
#include <string.h>

int cmd_picture_check(const char *path)
{
    if (cmd_ends_in(path, ".svg") || cmd_ends_in(path, ".png")) return 0;
    return cmd_complain(CMD_EXIT_USAGE, "--out %s: must end in .svg or .png", path);
}

/** Let line types have the colours of the palette. */
static void put_palette(FILE *script)
{
    unsigned colours[CMD_PICTURE_COLOURS];
    cmd_palette_fill(colours, CMD_PICTURE_COLOURS);
    for (int k = 0; k < CMD_PICTURE_COLOURS; k++)
        fprintf(script, "set linetype %d lc rgb '#%06x'\n", k + 1, colours[k]);
}

static int open_script(cmd_picture *picture, const char *terminal, int width, int height)
{
    picture->script = tmpfile();
    if (!picture->script) {
        int code = cmd_complain_io("write", "a temporary file");
        cmd_picture_abort(picture);
        return code;
    }
    fprintf(picture->script, "set encoding utf8\nset terminal %s size %d,%d\n", terminal, width, height);
    put_palette(picture->script);
    return 0;
}

static const char *const as_png = "pngcairo noenhanced font 'Sans,11'";
static const char *const as_svg = "svg noenhanced background 'white' font 'Helvetica,Arial,sans-serif,14'";

int cmd_picture_open(cmd_picture *picture, const char *path, int width, int height)
{
    *picture = (cmd_picture){0};
    int code = cmd_picture_check(path);
    if (code == 0) code = cmd_out_open(&picture->out, path);
    return code == 0 ? open_script(picture, cmd_ends_in(path, ".png") ? as_png : as_svg, width, height) : code;
}

int cmd_picture_begin(cmd_picture *picture, int width, int height)
{
    *picture = (cmd_picture){0};
    return open_script(picture, as_svg, width, height);
}

void cmd_picture_words(const cmd_picture *picture, const char *text)
{
    fputc('\'', picture->script);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', picture->script); /* quotes are doubled */
        fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, picture->script);
    }
    fputc('\'', picture->script);
}

void cmd_picture_log_axes(const cmd_picture *picture, const char *x, const char *y)
{
    fputs("set logscale xy\nset grid\nset tics out nomirror\nset format '1e%L'\nset key below height 1\n",
          picture->script);
    fprintf(picture->script, "set xlabel '%s' offset 0,0.3\nset ylabel '%s'\n", x, y);
}

void cmd_picture_abort(cmd_picture *picture)
{
    if (picture->script) fclose(picture->script);
    picture->script = NULL;
    cmd_out_abort(&picture->out);
}

/** Run gnuplot with these three files. @return its exit code; 128 + the signal that ended it; -1 with errno if it
 *  cannot be run */
static int run_gnuplot(FILE *script, FILE *result, FILE *complaints)
{
    static const char *const arguments[] = {"gnuplot", "--default-settings", "-", NULL};
    bench_subprocess gnuplot;
    unsetenv("GNUTERM"); /* a terminal for an unavailable display would fail */
    if (bench_subprocess_execute(&gnuplot, arguments, fileno(script), fileno(result), fileno(complaints)) != 0)
        return -1;
    return bench_subprocess_code(bench_subprocess_end(&gnuplot));
}

/** Copy the last line of gnuplot's messages, which is the reason. The lines before repeat the script. */
static void read_last_line(FILE *complaints, char *text, int size)
{
    char line[256];
    rewind(complaints);
    text[0] = 0;
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\r\n")] = 0;
        const char *words = line + strspn(line, " \t");
        if (*words) snprintf(text, (size_t)size, "%s", words);
    }
}

/** Draw the picture into an unnamed file. */
static int draw_to_file(const cmd_picture *picture, FILE *result, FILE *complaints)
{
    char reason[256];
    if (fflush(picture->script) != 0) return cmd_complain_io("write", "a temporary file");
    rewind(picture->script);
    int code = run_gnuplot(picture->script, result, complaints);
    if (cmd_signal_caught()) return 128 + cmd_signal_caught();
    if (code < 0 && errno == ENOENT)
        return cmd_complain(CMD_EXIT_FAILED, "gnuplot is not installed; %s", rsd_feature_of("gnuplot")->remedy);
    if (code < 0) return cmd_complain(CMD_EXIT_FAILED, "gnuplot cannot be run: %s", strerror(errno));
    read_last_line(complaints, reason, sizeof reason);
    const char *colon = reason[0] ? ": " : "";
    if (code != 0) return cmd_complain(CMD_EXIT_FAILED, "gnuplot failed (exit code %d)%s%s", code, colon, reason);
    if (fseek(result, 0, SEEK_END) == 0 && ftell(result) > 0) return 0;
    return cmd_complain(CMD_EXIT_FAILED, "gnuplot drew nothing%s%s", colon, reason);
}

int cmd_picture_inline(cmd_picture *picture, FILE **svg)
{
    FILE *result = tmpfile(), *complaints = tmpfile();
    int code =
        result && complaints ? draw_to_file(picture, result, complaints) : cmd_complain_io("write", "a temporary file");
    if (complaints) fclose(complaints);
    if (code != 0 && result) fclose(result);
    if (code == 0) rewind(result);
    *svg = code == 0 ? result : NULL;
    fclose(picture->script);
    picture->script = NULL;
    return code;
}

/** Draw the picture into the open file. */
static int copy_picture(cmd_picture *picture)
{
    FILE *result = NULL;
    int code = cmd_picture_inline(picture, &result);
    if (code == 0 && cmd_copy(result, picture->out.stream) != 0) code = cmd_complain_io("write", picture->out.target);
    if (result) fclose(result);
    return code;
}

int cmd_picture_commit(cmd_picture *picture)
{
    int code = copy_picture(picture);
    if (code == 0) code = cmd_out_commit(&picture->out);
    cmd_picture_abort(picture);
    return code;
}

int cmd_picture_commit_partial(cmd_picture *picture, char **where)
{
    int code = copy_picture(picture);
    *where = NULL;
    if (code == 0) code = cmd_out_commit_partial(&picture->out, where);
    cmd_picture_abort(picture);
    return code;
}
