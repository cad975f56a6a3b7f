// Debian keeps libpq's headers in a folder of its own, which pkg-config names if it is installed.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

// libpq names the fields of errors by characters, which Swift does not import.

enum {
    graph_pg_severity = PG_DIAG_SEVERITY_NONLOCALIZED,
    graph_pg_sqlstate = PG_DIAG_SQLSTATE,
    graph_pg_message = PG_DIAG_MESSAGE_PRIMARY,
    graph_pg_detail = PG_DIAG_MESSAGE_DETAIL,
    graph_pg_hint = PG_DIAG_MESSAGE_HINT,
    graph_pg_schema = PG_DIAG_SCHEMA_NAME,
    graph_pg_table = PG_DIAG_TABLE_NAME,
    graph_pg_column = PG_DIAG_COLUMN_NAME,
    graph_pg_constraint = PG_DIAG_CONSTRAINT_NAME,
    graph_pg_routine = PG_DIAG_SOURCE_FUNCTION,
};

static inline void graph_pg_receive_notice(void *flag, const PGresult *notice) {
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    if (severity && (severity[0] == 'F' || severity[0] == 'P')) *(int *)flag = 1;
}

/// Keeps notices of the server off the standard error, and sets the flag at the one that ends an idle connection.
static inline void graph_pg_receive_notices(PGconn *connection, int *flag) {
    PQsetNoticeReceiver(connection, graph_pg_receive_notice, flag);
}
