#include <sqlite3.h>

/// Whether the next VACUUM of a connection leaves an empty database; SQLite's function takes a variable number of arguments,
/// which Swift cannot pass.
static inline int graph_sqlite3_reset_database(sqlite3 *database, int isOn) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, isOn, (int *)0);
}
