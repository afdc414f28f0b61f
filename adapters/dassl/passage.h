/* passage.h - calls functions of the program, which may be written in C++. An exception of such a function is caught
 * before it reaches the integrator, and thrown again on return to the program. DASSL lets it pass. */
#ifndef DAS_PASSAGE_H
#define DAS_PASSAGE_H

#ifdef __cplusplus
extern "C" {
#endif

/** An exception that was caught. */
typedef struct das_thrown das_thrown;

/** Call work(context). @return 0, or 1 if it threw an exception, which is stored in *thrown */
int das_call_protected(void (*work)(void *context), void *context, das_thrown **thrown);

/** Throw the exception again. Does not return. */
void das_rethrow(das_thrown *thrown);

#ifdef __cplusplus
}
#endif
#endif
