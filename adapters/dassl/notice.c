/* notice.c - see notice.h. */
#include "notice.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 700 };

void das_say(das_routine routine, const char *format, ...)
{
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", das_routine_name(routine), text);
}

static struct {
    long calls, integrations, steps, residuals, jacobians;
} sums[DAS_ROUTINES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *log_name;

__attribute__((constructor)) static void read_environment(void)
{
    log_name = getenv("RESIDA_DASSL_LOG");
}

void das_note(das_routine routine, int began, const das_counts *before, const das_counts *after)
{
    if (!log_name) return;
    pthread_mutex_lock(&lock);
    sums[routine].calls++;
    sums[routine].integrations += began;
    sums[routine].steps += after->steps - before->steps;
    sums[routine].residuals += after->residuals - before->residuals;
    sums[routine].jacobians += after->jacobians - before->jacobians;
    pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void write_log(void)
{
    FILE *file = NULL;
    for (int i = 0; log_name && i < DAS_ROUTINES; i++) {
        if (sums[i].calls == 0) continue;
        if (!file) file = fopen(log_name, "a");
        if (!file) return;
        fprintf(file, "%s integrations %ld calls %ld steps %ld residuals %ld jacobians %ld\n",
                das_routine_name((das_routine)i), sums[i].integrations, sums[i].calls, sums[i].steps, sums[i].residuals,
                sums[i].jacobians);
    }
    if (file) fclose(file);
}
