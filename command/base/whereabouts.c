/* whereabouts.c - walks up the stack and looks for a function that begins where a callback of an open model does. So no
 * callback has to be wrapped, and a run costs nothing. The unwinder of the compiler's run-time library knows where
 * functions begin; it allocates nothing. Code that was built without tables for it, or a stack that is overwritten,
 * gives no answer, and an unwinder that loses its way a crash within a crash, for which crash.c is prepared. */
#include "whereabouts.h"

#include "callback_names.h"

#include <unwind.h>

enum { MODELS_MAX = 64, FRAMES_MAX = 1000000 };

static struct {
    const resida_model_class *cls;
    const resida_model *model;
    const char *word;
} models[MODELS_MAX];
static volatile int n_models;

void bench_whereabouts_add(const resida_model_class *cls, const resida_model *model, const char *word)
{
    if (n_models == MODELS_MAX) return; /* its callbacks stay without a name */
    models[n_models].cls = cls;
    models[n_models].model = model;
    models[n_models].word = word;
    n_models++;
}

void bench_whereabouts_remove(const resida_model *model)
{
    for (int i = 0; i < n_models; i++)
        if (models[i].model == model) models[i] = models[--n_models];
}

typedef struct walk {
    bench_place place;
    long frames;
} walk;

static _Unwind_Reason_Code look_at(struct _Unwind_Context *frame, void *context)
{
    walk *w = context;
    uintptr_t begin = (uintptr_t)_Unwind_GetRegionStart(frame);
    for (int i = 0; i < n_models && !w->place.callback; i++) {
        w->place.callback = bench_callback_name(models[i].cls, models[i].model, begin);
        if (w->place.callback) w->place.model = models[i].word;
    }
    return w->place.callback || w->frames++ > FRAMES_MAX ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bench_place bench_whereabouts(void)
{
    walk w = {.frames = 0};
    if (n_models == 0) return w.place;
    w.place.model = models[n_models - 1].word;
    _Unwind_Backtrace(look_at, &w);
    return w.place;
}
