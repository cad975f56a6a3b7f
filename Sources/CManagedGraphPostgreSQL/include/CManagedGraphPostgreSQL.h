// Registers the store's class when the program starts: Swift has no code that runs on loading.
#pragma once

/// Makes the linker keep the code that registers the class.
extern const int managedgraph_postgresql_is_linked;
