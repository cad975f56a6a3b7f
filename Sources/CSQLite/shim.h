#include <sqlite3.h>

// SQLite's function for settings takes a variable number of arguments, which Swift cannot pass.

/// Has a connection leave the log as it is when it closes, though it is the last one.
static inline int graph_sqlite3_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Whether the next VACUUM of a connection leaves an empty database.
static inline int graph_sqlite3_reset_database(sqlite3 *database, int isOn) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, isOn, (int *)0);
}
