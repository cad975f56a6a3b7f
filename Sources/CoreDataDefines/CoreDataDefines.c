#include "CoreDataDefines.h"
