#ifndef CSWIFTRUNTIME_H
#define CSWIFTRUNTIME_H

#include <stdbool.h>

/// Retains `object` unless its deinitializer has already begun; returns NULL then.
/// The identity map holds its objects without owning them and must not revive one that is dying.
void *swift_tryRetain(void *object);

/// Whether `object` has one strong reference.
bool swift_isUniquelyReferenced_nonNull_native(const void *object);

/// Ends the counting of references to `object`: an entry point that the runtime has for the standard library.
void _swift_stdlib_immortalize(void *object);

/// What this thread is inside of: a pointer of its own for each thread, as Swift has no thread-local variables.
void *managedgraph_currentFrame(void);
void managedgraph_setCurrentFrame(void *frame);

/// Whether this thread is the main one: 0 while nobody has asked, 1 for the main thread, 2 for any other.
int managedgraph_threadKind(void);
void managedgraph_setThreadKind(int kind);

/// A mark of this thread: whether the Observation library has just taken note of a read.
bool managedgraph_isTracking(void);
void managedgraph_setIsTracking(bool value);

/// The recorder of this thread's activity; NULL outside of observed operations.
void *managedgraph_currentActivity(void);
void managedgraph_setCurrentActivity(void *activity);

#endif
