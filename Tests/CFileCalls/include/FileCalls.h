// The file operations of a program, recorded or made to fail. A program that is linked with this module has its calls of
// the C library, and those of SQLite and Foundation, pass through it. Calls outside of the watched folder are not affected.
#ifndef FILE_CALLS_H
#define FILE_CALLS_H
#include <stdint.h>

// The kinds of recorded operations that change files.
enum {
    file_op_create = 1, file_op_folder, file_op_symlink, file_op_link, file_op_unlink, file_op_rmdir, file_op_rename,
    file_op_exchange, file_op_write, file_op_truncate, file_op_sync, file_op_sync_folder, file_op_mark,
};

typedef struct {
    int kind;
    // The inode's number, for operations on content.
    uint64_t node;
    int64_t offset;
    int64_t size;
    // Relative to the watched folder.
    char *path;
    char *other;
    uint8_t *data;
} file_op;

// The kinds of calls that can fail.
enum {
    file_call_open = 0, file_call_read, file_call_write, file_call_sync, file_call_truncate, file_call_lock,
    file_call_memory, file_call_rename, file_call_sync_folder, file_call_unlink, file_call_folder, file_call_look,
    file_call_list, file_call_kinds,
};

/// Watches a folder, whose path must be absolute and without links; NULL ends it.
void file_calls_watch(const char *folder);
/// Begins the recording of operations, and discards earlier ones.
void file_calls_record(void);
/// Interrupts or continues the recording.
void file_calls_pause(int on);
/// Adds a mark to the recording.
void file_calls_mark(int64_t number);
int64_t file_calls_count(void);
const file_op *file_calls_get(int64_t index);
/// Makes the n-th call of a kind from now on fail, and with `forever` all later ones; n = 0 lets all calls work.
void file_calls_fail(int kind, int64_t n, int code, int forever);
/// The calls of a kind since `file_calls_fail`, and those that failed.
int64_t file_calls_seen(int kind);
int64_t file_calls_failed(void);
/// The name of the call that failed last, and its path.
const char *file_calls_last(void);
#endif
