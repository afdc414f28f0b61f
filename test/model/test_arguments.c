/* test_arguments.c - every public function, every argument, every bad value: NULL, wrong sizes, NaN and infinite
 * numbers, numbers out of range, overlapping arrays. Each is refused with the right status, the argument is named, and
 * the contract of failing calls holds; or it is harmless, as the header says.
 *
 * The public headers themselves say what has to be tried: a function, a parameter or a field of an option struct
 * without a row fails the test, and so does a symbol that the library exports and no header declares. */
#include "test/house/api_scan.h"
#include "arguments.h"
#include "test/fixtures/check_contract.h"
#include "test/fixtures/source_scan.h"

static const char *const headers[] = {"status", "option",  "mechanism",   "contact", "dae",         "products",
                                      "model",  "problem", "start",       "impact",  "equilibrium", "jacobian",
                                      "stats",  "solver",  "sensitivity", "run",     "linearize",   "checkpoint"};
enum { N_HEADERS = sizeof headers / sizeof *headers };

static const arg_row *const tables[] = {arg_rows_model,       arg_rows_problem,  arg_rows_solver,
                                        arg_rows_cost,        arg_rows_products, arg_rows_linearize,
                                        arg_rows_equilibrium, arg_rows_impact,   arg_rows_contact};
enum { N_TABLES = sizeof tables / sizeof *tables };

/* Structs whose fields are arguments: of which function, under which name. */
static const struct {
    const char *name, *function, *prefix;
} structs[] = {
    {"resida_mechanism", "resida_problem_create", "m."},
    {"resida_dae", "resida_problem_create_dae", "d."},
    {"resida_callback_costs", "resida_problem_create", "m.cost."},
    {"resida_callback_costs", "resida_problem_create_dae", "d.cost."},
    {"resida_products", "resida_problem_create", "o.products."},
    {"resida_products", "resida_problem_create_dae", "o.products."},
    {"resida_model_contacts", "resida_problem_create", "o.contacts."},
    {"resida_model_class", "resida_model_create", "cls."},
    {"resida_parameter", "resida_model_create", "cls.parameters."},
    {"resida_problem_options", "resida_problem_create", "o."},
    {"resida_start_options", "resida_problem_start", "o."},
    {"resida_start_options", "resida_solver_start", "o."},
    {"resida_equilibrium_options", "resida_problem_equilibrium", "o."},
    {"resida_contacts", "resida_problem_impact", "contacts."},
    {"resida_start_options", "resida_problem_impact", "o."},
    {"resida_allocator", "resida_jacobian_create", "o.allocator."},
    {"resida_system", "resida_jacobian_create", "s."},
    {"resida_jacobian_options", "resida_jacobian_create", "o."},
    {"resida_jacobian_point", "resida_jacobian_setup", "at."},
    {"resida_solver_options", "resida_solver_create", "o."},
};

static const arg_call *find_call(const char *function)
{
    const arg_call *call = arg_calls;
    while (call->function && strcmp(call->function, function) != 0) call++;
    return call->function ? call : NULL;
}

/* The field of the world that a row spoils, set to its value number `way`. */
static void spoil(world *w, const arg_row *row, int way)
{
    char *field = (char *)w + row->offset;
    const int each = row->each > 0 ? row->each : 1;
    const size_t component = (size_t)(way % each);
    const double value = row->values ? row->values[way / each] : 0;
    if (row->spoil) row->spoil(w, way);
    switch (row->type) {
    case ARG_POINTER:
        memset(field, 0, sizeof(void *));
        break;
    case ARG_TEXT:
        memcpy(field, &row->texts[way], sizeof(void *));
        break;
    case ARG_REAL:
        memcpy(field + component * sizeof value, &value, sizeof value);
        break;
    case ARG_INT:
        memcpy(field + component * sizeof(int), &(int){(int)value}, sizeof(int));
        break;
    case ARG_LONG:
        memcpy(field, &(long){(long)value}, sizeof(long));
        break;
    case ARG_SIZE:
        memcpy(field, &(size_t){(size_t)value}, sizeof(size_t));
        break;
    case ARG_SPECIAL:
        break;
    }
}

/* Where the call leaves its reason; NULL: nowhere. */
static const char *reason(const world *w, arg_channel channel)
{
    const int is_in_solver = channel == SAYS_IN_SOLVER || (channel == SAYS_IN_RUN && w->a.run);
    const resida_solver *s = is_in_solver ? w->a.s : channel == SAYS_IN_DAE_SOLVER ? w->a.dae_s : NULL;
    if (channel == SAYS_IN_IDLE && w->a.idle_run) s = w->a.idle;
    if (channel == SAYS_WHY) return w->a.why ? w->a.why->text : NULL;
    return s ? resida_solver_message(s) : NULL;
}

typedef struct figures {
    long rows, refused, named, harmless, wrong;
} figures;

static void check_named(const arg_row *row, int way, const char *message, figures *sum)
{
    const char *dot = strrchr(row->argument, '.'), *word = row->named ? row->named : dot ? dot + 1 : row->argument;
    if (scan_word(message, word, 0)) {
        sum->named++;
        return;
    }
    print_error("%s, %s, way %d: \"%s\" does not say %s\n", row->function, row->argument, way, message, word);
    sum->wrong++;
}

/* One bad value. without_why: with nowhere to leave the reason. */
static void try_row(const arg_row *row, int way, int without_why, figures *sum)
{
    world w;
    contract c;
    const arg_call *call = find_call(row->function);
    if (!call) fail_msg("%s: no such call", row->function);
    world_make(&w);
    spoil(&w, row, way);
    if (without_why) w.a.why = NULL;
    contract_begin(&c, call->channel == SAYS_IN_DAE_SOLVER ? w.a.dae_s : w.a.s);
    contract_keep(&c, &w.kept, sizeof w.kept);
    resida_status status = call->call(&w);
    int says_nothing = row->named && !row->named[0];
    const char *message = says_nothing ? NULL : reason(&w, call->channel);
    if (row->status >= 0 || status >= 0)
        contract_end(&c);
    else
        check_contract(&c, status, CONTRACT_SAME_STATE | (message ? 0 : CONTRACT_NO_MESSAGE), message);
    if (row->status >= 0 ? status >= 0 : status == row->status) {
        *(row->status < 0 ? &sum->refused : &sum->harmless) += 1;
        if (row->status < 0 && message) check_named(row, way, message, sum);
    } else {
        print_error("%s, %s, way %d: status %d instead of %d: %s\n", row->function, row->argument, way, (int)status,
                    (int)row->status, message ? message : "");
        sum->wrong++;
    }
    world_free(&w);
}

CLAIM(every_bad_argument_is_refused_and_named)
{
    figures sum = {0}, unheard = {0};
    for (int i = 0; i < N_TABLES; i++)
        for (const arg_row *row = tables[i]; row->function; row++, sum.rows++)
            for (int way = 0; way < row->n * (row->each > 0 ? row->each : 1); way++) {
                try_row(row, way, 0, &sum);
                if (find_call(row->function)->channel == SAYS_WHY) try_row(row, way, 1, &unheard);
            }
    print_message("%ld rows: %ld bad values, %ld refused, of which %ld could be and were named; %ld harmless ones\n",
                  sum.rows, sum.refused + sum.harmless, sum.refused, sum.named, sum.harmless);
    assert_int_equal(sum.wrong + unheard.wrong, 0);
    assert_true(sum.refused > 300 && sum.named > 200);
}

CLAIM(the_calls_succeed_with_arguments_that_are_not_spoiled)
{
    for (const arg_call *call = arg_calls; call->function; call++) {
        world w;
        contract c;
        world_make(&w);
        contract_begin(&c, NULL);
        resida_status status = call->call(&w);
        contract_end(&c);
        const char *message = reason(&w, call->channel);
        if (status < 0) fail_msg("%s: %d %s", call->function, (int)status, message ? message : "");
        world_free(&w);
    }
}

static test_file read_header(const char *name)
{
    return test_file_read(test_path(test_environment("RESIDA_SOURCE"), claims_text("include/resida/%s.h", name)));
}

/* Is there a row for this argument, as a whole or a field of it? */
static int has_row(const char *function, const char *prefix, const char *argument)
{
    char name[100];
    size_t length = (size_t)snprintf(name, sizeof name, "%s%s", prefix, argument);
    for (int i = 0; i < N_TABLES; i++)
        for (const arg_row *row = tables[i]; row->function; row++)
            if (strcmp(row->function, function) == 0 && strncmp(row->argument, name, length) == 0 &&
                (row->argument[length] == 0 || row->argument[length] == '.'))
                return 1;
    return 0;
}

/* The reason of a failure is no argument that can be wrong. */
static int check_parts(const api_entry *entry, const char *function, const char *prefix)
{
    int missing = 0;
    for (int i = 0; i < entry->n_parts; i++) {
        if (strcmp(entry->parts[i], "why") == 0 || has_row(function, prefix, entry->parts[i])) continue;
        print_error("%s: no row for %s%s\n", function, prefix, entry->parts[i]);
        missing++;
    }
    return missing;
}

CLAIM(every_public_function_and_every_parameter_has_a_row)
{
    static api_entry found[API_MAX_FUNCTIONS];
    int functions = 0, parameters = 0, missing = 0;
    for (int i = 0; i < N_HEADERS; i++) {
        int n = api_functions(read_header(headers[i]).bytes, found, API_MAX_FUNCTIONS);
        assert_true(n <= API_MAX_FUNCTIONS);
        for (int k = 0; k < n; k++) {
            if (!find_call(found[k].name)) print_error("%s: no call\n", found[k].name);
            missing += !find_call(found[k].name) + check_parts(&found[k], found[k].name, "");
            parameters += found[k].n_parts;
        }
        functions += n;
    }
    print_message("%d public functions, %d parameters, %d without a row\n", functions, parameters, missing);
    assert_int_equal(missing, 0);
    int calls = 0;
    while (arg_calls[calls].function) calls++;
    assert_int_equal(functions, calls);
}

CLAIM(every_field_of_an_option_struct_has_a_row)
{
    int fields = 0, missing = 0;
    for (size_t i = 0; i < sizeof structs / sizeof *structs; i++) {
        api_entry entry;
        int there = 0;
        for (int h = 0; h < N_HEADERS && !there; h++)
            there = api_struct(read_header(headers[h]).bytes, structs[i].name, &entry);
        if (!there) fail_msg("no struct %s", structs[i].name);
        fields += entry.n_parts;
        missing += check_parts(&entry, structs[i].function, structs[i].prefix);
    }
    print_message("%d fields of option structs, %d without a row\n", fields, missing);
    assert_true(fields > 80);
    assert_int_equal(missing, 0);
}

/* nm's list against the headers' list, each name with the version of src/exported.map, which is a name, too; names that
 * begin with '_' belong to the tool chain. */
CLAIM(the_library_exports_what_the_headers_declare_and_nothing_else)
{
    char line[300], name[200];
    FILE *nm = popen(claims_text("nm -D --defined-only '%s'", test_environment("RESIDA_LIBRARY")), "r");
    assert_non_null(nm);
    int exported = 0, strange = 0, calls = 0;
    while (fgets(line, sizeof line, nm)) {
        char version[40] = "";
        if (sscanf(line, "%*s %*s %199[^@\n]%39s", name, version) < 1 || name[0] == '_') continue;
        if (strcmp(name, "RESIDA_0") == 0) continue;
        exported++;
        if (find_call(name) && strcmp(version, "@@RESIDA_0") == 0) continue;
        print_error("%s is exported, but not public, or not of RESIDA_0\n", name);
        strange++;
    }
    assert_int_equal(pclose(nm), 0);
    while (arg_calls[calls].function) calls++;
    print_message("%d exported symbols\n", exported);
    assert_int_equal(strange, 0);
    assert_int_equal(exported, calls);
}

CLAIM(the_scan_reads_declarations_as_the_headers_are_written)
{
    static const char text[] =
        "#define RESIDA_API x\n/* RESIDA_API int no(void); */\nRESIDA_API int\nf(double t, const "
        "char *const *names,\n  g *h);\nRESIDA_API void v(void);\n"
        "typedef struct s {\n int a, b; /* c; */\n const double *d;\n int (*e)(int x, int y);\n"
        " struct q k;\n} s;\n";
    static const char *const fields[] = {"a", "b", "d", "e", "k"};
    api_entry f[3], s;
    assert_int_equal(api_functions(text, f, 3), 2);
    assert_string_equal(f[0].name, "f");
    assert_int_equal(f[0].n_parts, 3);
    assert_string_equal(f[0].parts[0], "t");
    assert_string_equal(f[0].parts[1], "names");
    assert_string_equal(f[0].parts[2], "h");
    assert_string_equal(f[1].name, "v");
    assert_int_equal(f[1].n_parts, 0);
    assert_false(api_struct(text, "q", &s));
    assert_true(api_struct(text, "s", &s));
    assert_int_equal(s.n_parts, 5);
    for (int i = 0; i < 5; i++) assert_string_equal(s.parts[i], fields[i]);
}
