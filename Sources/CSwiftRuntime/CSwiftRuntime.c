#include "CSwiftRuntime.h"

static _Thread_local void *currentFrame;

static _Thread_local bool isTracking;

bool managedgraph_isTracking(void) { return isTracking; }
void managedgraph_setIsTracking(bool value) { isTracking = value; }

void *managedgraph_currentFrame(void) { return currentFrame; }
void managedgraph_setCurrentFrame(void *frame) { currentFrame = frame; }

static _Thread_local int threadKind;

int managedgraph_threadKind(void) { return threadKind; }
void managedgraph_setThreadKind(int kind) { threadKind = kind; }

static _Thread_local void *currentActivity;

void *managedgraph_currentActivity(void) { return currentActivity; }
void managedgraph_setCurrentActivity(void *activity) { currentActivity = activity; }
