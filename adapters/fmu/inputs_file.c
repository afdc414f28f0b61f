/* inputs_file.c - reads the file of inputs over time. 64-bit integers are read exactly, items of an enumeration by
 * name or value, texts unchanged. */
#include "inputs.h"

#include "adapters/base/csv.h"
#include "adapters/fmu/base/fail.h"
#include "adapters/fmu/base/xml.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Convert field k of the row to a finite number. */
static int read_number(const adapter_csv *csv, int k, const char *column, double *value, resida_message *why)
{
    const char *list = csv->fields[k];
    if (!strpbrk(list, " \t") && fmu_next_double(&list, value) == 1 && isfinite(*value)) return 0;
    return ADAPTER_CSV_FAIL(csv, why, "%.60s = \"%.60s\" is not a finite number", column, csv->fields[k]);
}

/* Add a column of a parameter. */
static int add_column(fmu_inputs *in, fmu_input_column added, const adapter_csv *csv, resida_message *why)
{
    const int k = added.parameter;
    for (int c = 0; c < in->n_columns; c++)
        if (in->columns[c].parameter == k)
            return ADAPTER_CSV_FAIL(csv, why, "column %.100s is given twice", csv->fields[added.field]);
    fmu_input_column *column = &in->columns[in->n_columns];
    *column = added;
    for (int j = 0; j < in->n_u; j++)
        if (in->parameter[j] == k) column->u = j, in->column[j] = in->n_columns;
    in->has_wholes |= fmu_type_is_long(added.variable->type);
    in->n_columns++;
    return 0;
}

static int read_column(fmu_inputs *in, const fmu_file *f, const fmu_series *s, const adapter_csv *csv, int field,
                       resida_message *why)
{
    for (int k = 0; k < f->n_parameters; k++) {
        const fmu_target *t = &f->targets[k];
        fmu_input_column column = {t->variable, field, 1, 0, k, t->element, -1};
        if (!fmu_is_input(t) || !s->is_column(s, csv->fields[field], k, &column.factor, &column.offset)) continue;
        if (add_column(in, column, csv, why) < 0) return -1;
    }
    return 0;
}

static int read_heading(fmu_inputs *in, const fmu_file *f, const fmu_series *s, adapter_csv *csv, resida_message *why)
{
    const int got = adapter_csv_next(csv, why);
    if (got < 0) return -1;
    if (got == 0 || (strcmp(csv->fields[0], "time") != 0 && strcmp(csv->fields[0], "t") != 0))
        return fmu_fail(why, "%.200s: the first line must be time and names of inputs", csv->path);
    for (int k = 1; k < csv->n; k++)
        if (read_column(in, f, s, csv, k, why) < 0) return -1;
    in->n_fields = csv->n;
    return 0;
}

/* Convert a text to its index among the texts of the file. Consecutive rows with the same text share an index. */
static int store_text(fmu_inputs *in, const char *text, int at, fmu_pool *pool, double *value)
{
    *value = in->n_rows > 0 ? in->x[at - in->n_columns] : 0;
    if (in->n_rows > 0 && strcmp(in->texts[(int)*value], text) == 0) return 0;
    in->texts = fmu_pool_grow(pool, in->texts, (size_t)in->n_texts, sizeof *in->texts);
    if (!in->texts || !(in->texts[in->n_texts] = fmu_pool_text(pool, text))) return -1;
    *value = in->n_texts++;
    return 0;
}

/* Read a 64-bit integer. @return 0, or -1 if it is not an integer, or out of range */
static int parse_integer(const char *text, fmu_type type, uint64_t *bits)
{
    enum { DECIMAL = 10 };
    const char *digits = text + (*text == '-' || *text == '+');
    double value = 0;
    if (*digits && digits[strspn(digits, "0123456789")] == 0) {
        errno = 0;
        *bits = type == FMU_UINT64 ? strtoull(text, NULL, DECIMAL) : (uint64_t)strtoll(text, NULL, DECIMAL);
        return errno != 0 || (type == FMU_UINT64 && *text == '-' && *bits != 0) ? -1 : 0;
    }
    if (fmu_next_double(&text, &value) != 1 || *text || !(fabs(value) <= FMU_WHOLE_LIMIT) || floor(value) != value ||
        (type == FMU_UINT64 && value < 0))
        return -1;
    *bits = (uint64_t)(int64_t)value;
    return 0;
}

/* Return the value of an item of an enumeration, or the text itself if it is not an item. */
static const char *find_item_value(const fmu_description *d, const fmu_variable *v, const char *text)
{
    const fmu_declared *type = fmu_declared_find(d, v->declared);
    for (int i = 0; type && i < type->n_items; i++)
        if (strcmp(type->items[i].name, text) == 0) return type->items[i].value;
    return text;
}

static int is_outside(double value, double min, double max)
{
    return value < min || value > max;
}

/* Read a 64-bit integer, and check the limits of the variable. */
static int read_integer(const fmu_inputs *in, const fmu_file *f, const adapter_csv *csv, int k, uint64_t *bits,
                        double *value, resida_message *why)
{
    const fmu_variable *v = in->columns[k].variable;
    const char *field = csv->fields[in->columns[k].field];
    const int read = parse_integer(find_item_value(&f->about, v, field), v->type, bits);
    *value = v->type == FMU_UINT64 ? (double)*bits : (double)(int64_t)*bits;
    if (read == 0 && !is_outside(*value, v->min, v->max)) return 0;
    return ADAPTER_CSV_FAIL(csv, why, "%.60s = %.60s is not a valid value", v->name, field);
}

/* Read a value, and check that the input can have it. */
static int read_value(fmu_inputs *in, const fmu_file *f, adapter_csv *csv, int k, fmu_pool *pool, resida_message *why)
{
    const fmu_input_column *c = &in->columns[k];
    const resida_parameter *p = &f->parameters[c->parameter];
    const int at = in->n_rows * in->n_columns + k;
    const char *field = csv->fields[c->field];
    double *value = &in->x[at];
    if (c->variable->type == FMU_STRING) return store_text(in, field, at, pool, value) < 0 ? fmu_no_memory(why) : 0;
    if (fmu_type_is_long(c->variable->type)) return read_integer(in, f, csv, k, &in->wholes[at], value, why);
    const char *number = find_item_value(&f->about, c->variable, field);
    if (number != field && fmu_next_double(&number, value) == 1) return 0;
    if (read_number(csv, c->field, p->name, value, why) < 0) return -1;
    *value = c->factor * *value + c->offset;
    if (is_outside(*value, p->min, p->max))
        return ADAPTER_CSV_FAIL(csv, why, "%.60s = %.60s is outside its range %.10g .. %.10g", p->name, field, p->min,
                                p->max);
    if (fmu_type_holds(c->variable->type, *value)) return 0;
    return ADAPTER_CSV_FAIL(csv, why, "%.60s = %.60s is not a value of its type", p->name, field);
}

static int read_row(fmu_inputs *in, const fmu_file *f, adapter_csv *csv, fmu_pool *pool, resida_message *why)
{
    const int n = in->n_columns, r = in->n_rows;
    if (csv->n != in->n_fields) return ADAPTER_CSV_FAIL(csv, why, "%d fields, not %d", csv->n, in->n_fields);
    in->t = fmu_pool_grow(pool, in->t, (size_t)r, sizeof *in->t);
    for (int k = 0; k < n; k++) {
        in->x = fmu_pool_grow(pool, in->x, (size_t)(r * n + k), sizeof *in->x);
        if (in->has_wholes) in->wholes = fmu_pool_grow(pool, in->wholes, (size_t)(r * n + k), sizeof *in->wholes);
    }
    if (!in->t || (n > 0 && !in->x) || (in->has_wholes && !in->wholes)) return fmu_no_memory(why);
    if (read_number(csv, 0, "time", &in->t[r], why) < 0) return -1;
    if (r > 0 && in->t[r] < in->t[r - 1])
        return ADAPTER_CSV_FAIL(csv, why, "time = %.9g is before %.9g", in->t[r], in->t[r - 1]);
    for (int k = 0; k < n; k++)
        if (read_value(in, f, csv, k, pool, why) < 0) return -1;
    in->n_rows++;
    return 0;
}

static int read_rows(fmu_inputs *in, const fmu_file *f, const fmu_series *s, adapter_csv *csv, fmu_pool *pool,
                     resida_message *why)
{
    int got = 0;
    if (read_heading(in, f, s, csv, why) < 0) return -1;
    while ((got = adapter_csv_next(csv, why)) == 1)
        if (read_row(in, f, csv, pool, why) < 0) return -1;
    if (got == 0 && in->n_rows == 0) return fmu_fail(why, "%.200s has no row", csv->path);
    return got;
}

int fmu_inputs_read(fmu_inputs *in, const fmu_file *f, const fmu_series *series, fmu_pool *pool, resida_message *why)
{
    adapter_csv csv;
    int read = adapter_csv_open(&csv, series->path, why);
    if (read == 0) read = read_rows(in, f, series, &csv, pool, why);
    adapter_csv_close(&csv);
    return read;
}
