#include "CManagedGraphPostgreSQL.h"

const int managedgraph_postgresql_is_linked = 1;

/// Defined in Swift: PostgreSQLStore+Registration.swift.
extern void managedgraph_postgresql_register(void);

__attribute__((constructor)) static void register_on_loading(void) { managedgraph_postgresql_register(); }
