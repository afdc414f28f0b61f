/* whereabouts.c - finds the callback that is being executed. It walks up the stack and compares the beginning of each
 * function with the callbacks of open models. Therefore callbacks need no wrapper, and a run has no overhead. The
 * unwinder of the compiler's run-time library knows where functions begin, and allocates no memory. Code without unwind
 * tables, or a corrupted stack, gives no result. The unwinder may also crash, which last_words.c handles. */
#include "whereabouts.h"

#include <stdint.h>
#include <string.h>
#include <unwind.h>

/* A callback of resida_mechanism, resida_dae or resida_model. */
typedef struct callback {
    const char *name;
    size_t offset; /* in resida_model */
} callback;

#define OF_MECHANISM(member) #member, offsetof(resida_model, mechanism) + offsetof(resida_mechanism, member)
#define OF_DAE(member)       #member, offsetof(resida_model, dae) + offsetof(resida_dae, member)

static const callback callbacks[] = {
    {OF_MECHANISM(residual)},
    {OF_MECHANISM(acceleration)},
    {OF_MECHANISM(residual_lam)},
    {OF_MECHANISM(acceleration_lam)},
    {OF_MECHANISM(constraint)},
    {OF_MECHANISM(constraint_matrix)},
    {OF_MECHANISM(constraint_force)},
    {OF_MECHANISM(constraint_velocity)},
    {OF_MECHANISM(velocity_bias)},
    {OF_MECHANISM(acceleration_bias)},
    {OF_MECHANISM(mass_matrix)},
    {OF_MECHANISM(potential)},
    {OF_MECHANISM(derivatives)},
    {OF_MECHANISM(kinematic_matrix)},
    {OF_MECHANISM(invariant)},
    {OF_MECHANISM(invariant_matrix)},
    {OF_MECHANISM(nonholonomic_matrix)},
    {OF_MECHANISM(nonholonomic_bias)},
    {OF_MECHANISM(nonholonomic_acceleration_bias)},
    {OF_MECHANISM(excitation)},
    {OF_MECHANISM(root)},
    {"root_lam", offsetof(resida_model, root_lam)},
    {OF_DAE(residual)},
    {OF_DAE(excitation)},
    {OF_DAE(root)},
    {OF_DAE(jacobian)},
    {"reference", offsetof(resida_model, reference)},
    {"output", offsetof(resida_model, output)},
    {"shape", offsetof(resida_model, shape)},
    {"event", offsetof(resida_model, event)},
};

/* Callbacks in structs to which a model points. */
static const callback of_products[] = {
    {"residual_times", offsetof(resida_products, residual_times)},
    {"jacobian_times", offsetof(resida_products, jacobian_times)},
};
static const callback of_contacts[] = {
    {"contacts.matrix", offsetof(resida_model_contacts, matrix)},
    {"contacts.rate", offsetof(resida_model_contacts, rate)},
};

static int is_start_of_function(const void *function, uintptr_t address)
{
    uintptr_t there;
    memcpy(&there, function, sizeof there); /* a function pointer cannot be converted to an object pointer */
    return there != 0 && there == address;
}

static const char *find_name(const void *members, const callback *list, size_t n, uintptr_t address)
{
    for (size_t i = 0; i < n && members; i++)
        if (is_start_of_function((const char *)members + list[i].offset, address)) return list[i].name;
    return NULL;
}

/** Return the name of the callback, or of the function of the class, that begins at this address, such as "residual",
 *  or NULL. Only the model is read, because a signal handler calls this function. */
static const char *callback_name(const resida_model_class *cls, const resida_model *model, uintptr_t address)
{
    if (is_start_of_function(&cls->create, address)) return "create";
    if (is_start_of_function(&cls->destroy, address)) return "destroy";
    const char *name = find_name(model, callbacks, sizeof callbacks / sizeof *callbacks, address);
    if (!name) name = find_name(model->products, of_products, sizeof of_products / sizeof *of_products, address);
    return name ? name : find_name(model->contacts, of_contacts, sizeof of_contacts / sizeof *of_contacts, address);
}

enum { MODELS_MAX = 64, FRAMES_MAX = 1000000 };

static struct {
    const resida_model_class *cls;
    const resida_model *model;
    const char *word;
} models[MODELS_MAX];
static volatile int n_models;

void cmd_whereabouts_add(const resida_model_class *cls, const resida_model *model, const char *word)
{
    if (n_models == MODELS_MAX) return; /* callbacks of further models have no names */
    models[n_models].cls = cls;
    models[n_models].model = model;
    models[n_models].word = word;
    n_models++;
}

void cmd_whereabouts_remove(const resida_model *model)
{
    for (int i = 0; i < n_models; i++)
        if (models[i].model == model) models[i] = models[--n_models];
}

static uintptr_t outermost;

void cmd_whereabouts_begin(const void *frame)
{
    outermost = (uintptr_t)frame;
}

typedef struct walk {
    cmd_place place;
    long frames;
} walk;

static _Unwind_Reason_Code check_frame(struct _Unwind_Context *frame, void *context)
{
    walk *w = context;
    uintptr_t begin = (uintptr_t)_Unwind_GetRegionStart(frame);
    for (int i = 0; i < n_models && !w->place.callback; i++) {
        w->place.callback = callback_name(models[i].cls, models[i].model, begin);
        if (w->place.callback) w->place.model = models[i].word;
    }
    /* the stack grows to smaller addresses: all frames of callbacks have been passed */
    w->place.is_ours = !w->place.callback && outermost != 0 && _Unwind_GetCFA(frame) > outermost;
    const int is_over = w->place.callback || w->place.is_ours || w->frames++ > FRAMES_MAX;
    return is_over ? _URC_END_OF_STACK : _URC_NO_REASON;
}

cmd_place cmd_whereabouts_find(void)
{
    walk w = {.frames = 0};
    if (n_models == 0) return w.place;
    w.place.model = models[n_models - 1].word;
    _Unwind_Backtrace(check_frame, &w);
    return w.place;
}
