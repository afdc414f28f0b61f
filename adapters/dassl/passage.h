/* passage.h - calls what the program gave, which may be written in C++: what it throws is carried around the integrator
 * and thrown on, as DASSL lets it pass. */
#ifndef DAS_PASSAGE_H
#define DAS_PASSAGE_H

#ifdef __cplusplus
extern "C" {
#endif

/** An exception under way. */
typedef struct das_thrown das_thrown;

/** work(context). @return 0; 1: it threw, *thrown is what */
int das_pass(void (*work)(void *context), void *context, das_thrown **thrown);

/** Throw it on. Does not return. */
void das_throw_on(das_thrown *thrown);

#ifdef __cplusplus
}
#endif
#endif
