/* check_report.c - writes each check as one line: "ok", "warn" or "FAIL", the model, the check, and the figures. */
#include "check.h"

#include "program/base/complain.h"
#include "program/output/json_line.h"

#include <math.h>
#include <stdarg.h>

static void write_line(cmd_report_work *r, const char *check, int ok, double value, double limit, const char *format,
                       va_list args)
{
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    if (!ok) r->failed++;
    if (r->code != 0) return; /* standard output has failed before */
    if (r->settings->format == CMD_TEXT) {
        printf("%-4s  %-22s %-18s %s", ok > 1 ? "warn" : ok ? "ok" : "FAIL", r->model->cls->name, check, text);
        if (isfinite(limit)) printf(" (limit %.2g)", limit);
        putchar('\n');
    } else {
        json_t *o = CMD_OBJECT({"model", cmd_json_text(r->model->cls->name)}, {"check", cmd_json_text(check)},
                               {"ok", json_boolean(ok != 0)}, {"value", cmd_json_real(value)},
                               {"limit", cmd_json_real(limit)}, {"text", cmd_json_text(text)});
        r->code = cmd_json_line(o, stdout);
    }
    if (r->code == 0 && (fflush(stdout) != 0 || ferror(stdout)))
        r->code = cmd_complain_unwritten(stdout, "standard output");
}

void cmd_report_number(cmd_report_work *report, const char *check, double value, double limit, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line(report, check, value <= limit, value, limit, format, args);
    va_end(args);
}

void cmd_report_result(cmd_report_work *report, const char *check, int ok, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line(report, check, ok, NAN, NAN, format, args);
    va_end(args);
}
