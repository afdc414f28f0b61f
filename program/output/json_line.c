/* json_line.c - jansson builds values and escapes strings. Numbers are written here, because jansson's 17 digits turn a
 * tolerance of 1e-5 into 1.0000000000000001e-05. */
#include "json_line.h"

#include "program/base/complain.h"
#include "program/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *cmd_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cmd_json_count(long value)
{
    return value >= 0 ? json_integer(value) : json_null();
}

json_t *cmd_json_text(const char *text)
{
    if (!text) return json_null();
    json_t *value = json_string(text);
    if (value) return value;
    char *ascii = strdup(text);
    if (!ascii) return NULL;
    for (char *c = ascii; *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    value = json_string(ascii);
    free(ascii);
    return value;
}

json_t *cmd_json_reals(const double *x, long n, int stride)
{
    json_t *list = json_array();
    for (long i = 0; i < n; i++) list = cmd_json_append(list, cmd_json_real(x[i * stride]));
    return list;
}

/** Return the container, or free it and return NULL after a failure. */
static json_t *free_on_failure(json_t *container, int failed)
{
    if (!failed) return container;
    json_decref(container);
    return NULL;
}

json_t *cmd_json_put(json_t *object, const char *key, json_t *value)
{
    json_t *name = cmd_json_text(key);
    const int failed = json_object_set_new(object, json_string_value(name), value) != 0;
    json_decref(name);
    return free_on_failure(object, failed);
}

json_t *cmd_json_append(json_t *list, json_t *value)
{
    return free_on_failure(list, json_array_append_new(list, value) != 0);
}

json_t *cmd_json_extend(json_t *object, const cmd_member *members)
{
    for (; members->key; members++) object = cmd_json_put(object, members->key, members->value);
    return object;
}

static void write_value(json_t *value, FILE *stream);

/* Write a key with escapes, because keys may be names of models. */
static void write_key(const char *key, FILE *stream)
{
    json_t *text = json_string(key);
    if (text) json_dumpf(text, stream, JSON_ENCODE_ANY);
    json_decref(text);
}

static void write_object(json_t *object, FILE *stream)
{
    const char *key, *comma = "";
    json_t *member;
    json_object_foreach(object, key, member)
    {
        fputs(comma, stream);
        write_key(key, stream);
        fputc(':', stream);
        write_value(member, stream);
        comma = ",";
    }
}

static void write_array(json_t *array, FILE *stream)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (i) fputc(',', stream);
        write_value(json_array_get(array, i), stream);
    }
}

static void write_value(json_t *value, FILE *stream)
{
    if (json_is_object(value)) {
        fputc('{', stream);
        write_object(value, stream);
        fputc('}', stream);
    } else if (json_is_array(value)) {
        fputc('[', stream);
        write_array(value, stream);
        fputc(']', stream);
    } else if (json_is_real(value)) {
        fputs(cmd_format_shortest(json_real_value(value)), stream);
    } else {
        json_dumpf(value, stream, JSON_ENCODE_ANY);
    }
}

int cmd_json_line(json_t *value, FILE *stream)
{
    if (value) write_value(value, stream);
    fputc('\n', stream);
    const int failed = !value || fflush(stream) != 0 || ferror(stream);
    json_decref(value);
    return failed ? cmd_complain_unwritten(stream, stream == stdout ? "standard output" : "standard error") : 0;
}
