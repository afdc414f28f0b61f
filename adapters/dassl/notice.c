/* notice.c - see notice.h. */
#include "notice.h"

#include "fortran.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = sizeof(das_line) + 100 }; /* a converted message, IDID and T */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void das_print_message(das_routine routine, const char *format, ...)
{
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s: %s\n", das_traits_of[routine].name, text);
}

static struct {
    long calls, integrations, restarts, steps, residuals, jacobians;
} sums[DAS_ROUTINES];

static const char *log_name;

__attribute__((constructor)) static void read_environment(void)
{
    log_name = getenv("RESIDA_DASSL_LOG");
}

void das_add_statistics(das_routine routine, int began, int restarts, const das_counts *before, const das_counts *after)
{
    if (!log_name) return;
    pthread_mutex_lock(&lock);
    sums[routine].calls++;
    sums[routine].integrations += began;
    sums[routine].restarts += restarts;
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
        fprintf(file, "%s integrations %ld calls %ld steps %ld residuals %ld jacobians %ld restarts %ld\n",
                das_traits_of[i].name, sums[i].integrations, sums[i].calls, sums[i].steps, sums[i].residuals,
                sums[i].jacobians, sums[i].restarts);
    }
    if (file) fclose(file);
}
