/* train_recall.c - see train_recall.h. An evaluation of J varies the four coordinates of a contact one after the other.
 * PAGES is large enough for the unperturbed state and these four states. */
#include "train_recall.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/util/model_util.h"

enum { BOOKS = 8, PAGES = 8 };

typedef struct page {
    train_pose pose;
    train_pair pair;
} page;

/** The pages of a wheelset, a ring buffer; pages from index `used` on are empty. */
typedef struct ring {
    int newest, used;
    page pages[PAGES];
} ring;

struct train_book {
    atomic_flag taken;
    ring *of; /**< [wheelsets] */
};

struct train_recall {
    train_book books[BOOKS];
    ring *rings; /**< memory of all books */
};

train_recall *train_recall_make(int wheelsets, resida_message *why)
{
    train_recall *all = bench_alloc(1, sizeof *all, why);
    if (!all) return NULL;
    all->rings = bench_alloc(BOOKS * wheelsets, sizeof *all->rings, why);
    if (!all->rings) {
        free(all);
        return NULL;
    }
    for (int i = 0; i < BOOKS; i++) {
        atomic_flag_clear(&all->books[i].taken);
        all->books[i].of = all->rings + (ptrdiff_t)i * wheelsets;
    }
    return all;
}

void train_recall_free(train_recall *all)
{
    if (all) free(all->rings);
    free(all);
}

train_book *train_book_take(train_recall *all)
{
    for (int i = 0; all && i < BOOKS; i++)
        if (!atomic_flag_test_and_set_explicit(&all->books[i].taken, memory_order_acquire)) return &all->books[i];
    return NULL;
}

void train_book_put(train_book *book)
{
    if (book) atomic_flag_clear_explicit(&book->taken, memory_order_release);
}

const train_pair *train_book_find(const train_book *book, int w, const train_pose *pose)
{
    if (!book) return NULL;
    const ring *r = &book->of[w];
    for (int i = 0; i < r->used; i++) {
        const page *x = &r->pages[(r->newest + PAGES - i) % PAGES];
        if (memcmp(&x->pose, pose, sizeof *pose) == 0) return &x->pair;
    }
    return NULL;
}

void train_book_keep(train_book *book, int w, const train_pose *pose, const train_pair *pair)
{
    if (!book) return;
    ring *r = &book->of[w];
    r->newest = (r->newest + 1) % PAGES;
    if (r->used < PAGES) r->used++;
    r->pages[r->newest] = (page){*pose, *pair};
}
