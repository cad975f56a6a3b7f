#include <sqlite3.h>

// SQLite's function for settings takes a variable number of arguments, which Swift cannot pass.

/// Has a connection leave the log as it is when it closes, though it is the last one.
static inline int graph_sqlite3_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Has a connection refuse views: a table of a hostile file may be one, whose rows never end.
static inline int graph_sqlite3_refuse_views(sqlite3 *database) {
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
    return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
#else
    return SQLITE_OK;
#endif
}

/// Whether the next VACUUM of a connection leaves an empty database.
static inline int graph_sqlite3_reset_database(sqlite3 *database, int isOn) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_RESET_DATABASE, isOn, (int *)0);
}

/// The allocator of SQLite; only before SQLite is initialized can it be read here and set below.
static inline int graph_sqlite3_allocator(sqlite3_mem_methods *methods) {
    return sqlite3_config(SQLITE_CONFIG_GETMALLOC, methods);
}

/// Has SQLite take all its memory from an allocator, without memory set aside for small values; for tests.
static inline int graph_sqlite3_use_allocator(const sqlite3_mem_methods *methods) {
    int result = sqlite3_config(SQLITE_CONFIG_MALLOC, methods);
    return result == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0) : result;
}
