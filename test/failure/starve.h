/* starve.h - lets memory run out at every place where a life takes some: each allocation fails once, and from each on
 * all fail; every time in a child, so that a crash is one result among others. */
#ifndef RESIDA_TEST_STARVE_H
#define RESIDA_TEST_STARVE_H

#include "test/fixtures/file_util.h"
#include "lives.h"

/** The books of a supply of memory at the end of a life. */
typedef struct ledger {
    long allocations; /**< asked for */
    long failed;      /**< refused */
    long live;        /**< never given back */
    long foreign;     /**< given back, but not from here */
} ledger;

/** Where memory comes from. */
typedef struct supply {
    const char *name;
    const resida_allocator *allocator;         /**< for the life; NULL: malloc and free */
    void (*begin)(long fail_at, int for_ever); /**< from now on refuse allocation fail_at (from 1, 0: none) */
    ledger (*end)(void);
    void (*site)(long k, char *text, size_t size); /**< who asked for allocation k of the last life; NULL: unknown */
} supply;

/** How one life went. */
typedef struct starved {
    ledger books;
    life life;
    char site[256]; /**< who asked for what was refused, innermost first */
    int died;       /**< 0; else a signal, or 256 + exit code */
    long printed;   /**< bytes on stdout and stderr */
    char text[96];  /**< the first of them */
} starved;

/** What was wrong with a life; bits. */
enum {
    STARVED_DIED = 1,
    STARVED_LEAKED = 2,
    STARVED_PRINTED = 4,
    STARVED_STATUS = 8,    /**< neither want of memory, with a reason, nor RESIDA_OK */
    STARVED_DIFFERENT = 16 /**< tried again it did not come to the same end, bit for bit */
};

/** Is this fault a known one? 1: it is not counted. */
typedef int starve_known(const starved *result, int faults);

/** Figures of a life at all its sites. */
typedef struct hunger {
    long sites, lives, crashes, leaks, others; /**< without what is known */
    long known, reports;
} hunger;

/** Starve a life at every site, or one of so many where loops are thinned, once and for ever. Reports what is neither
 *  right nor known.
 *  @param known  NULL: nothing is */
hunger starve_everywhere(const supply *from, const char *name, life_fn *run, starve_known *known);

/** Give a life ever more memory, until it is enough: begin() of the supply gets step, 2 step, 3 step ... bytes, or as
 *  many times more as loops are thinned. The sites of the result are these budgets. */
hunger starve_on_a_budget(const supply *from, const char *name, life_fn *run, long step);

#endif
