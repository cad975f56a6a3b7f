#include "CSwiftRuntime.h"

static _Thread_local void *currentFrame;

void *managedgraph_currentFrame(void) { return currentFrame; }
void managedgraph_setCurrentFrame(void *frame) { currentFrame = frame; }
