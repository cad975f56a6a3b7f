// Replaces functions of the C library in the programs of tests: see FileCalls.h. The dynamic linker prefers the
// functions of the program to those of its libraries, so that those of SQLite and Foundation are seen too.
#define _GNU_SOURCE
#include "include/FileCalls.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

#define MOST 65536
#define REAL(name) ((__typeof__(&name))real(#name))
// The functions that libraries look for by name.
#define SEEN __attribute__((visibility("default"), used))

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char root[4096];
static size_t root_length;
static volatile int is_watching, is_recording;
// What is known of each descriptor: 0 nothing, 1 a file, 2 a folder of the watched folder, 3 shared memory.
static unsigned char kinds[MOST];
static uint64_t nodes[MOST];
static file_op *ops;
static int64_t count, space;
static int fail_kind = -1, fail_code, fail_forever;
static int64_t fail_at, seen[file_call_kinds], failed;
static char last[4300];

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) { fprintf(stderr, "the C library has no %s\n", name); abort(); }
    return found;
}

// The part of a path below the watched folder; NULL if it is elsewhere.
static const char *inside(const char *path) {
    if (!is_watching || !path || strncmp(path, root, root_length) != 0) return NULL;
    if (path[root_length] == 0) return "";
    return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

static int known(int fd) { return is_watching && fd >= 0 && fd < MOST ? kinds[fd] : 0; }

// Whether this call is the one to fail; sets errno.
static int fails(int kind, const char *name, const char *path) {
    int result = 0;
    pthread_mutex_lock(&lock);
    int64_t number = ++seen[kind];
    if (kind == fail_kind && fail_at > 0 && (number == fail_at || (fail_forever && number > fail_at))) {
        failed++;
        snprintf(last, sizeof last, "%s %s", name, path ? path : "");
        result = 1;
    }
    pthread_mutex_unlock(&lock);
    if (result) errno = fail_code;
    return result;
}

static void note(int kind, uint64_t node, int64_t offset, int64_t size, const char *path, const char *other,
                 const void *data) {
    if (!is_recording) return;
    pthread_mutex_lock(&lock);
    if (count == space) {
        space = space ? 2 * space : 4096;
        ops = realloc(ops, (size_t)space * sizeof *ops);
    }
    file_op op = {kind, node, offset, size, path ? strdup(path) : NULL, other ? strdup(other) : NULL, NULL};
    if (data && size > 0) { op.data = malloc((size_t)size); memcpy(op.data, data, (size_t)size); }
    ops[count++] = op;
    pthread_mutex_unlock(&lock);
}

static int is_memory(const char *path) {
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

static uint64_t node_of(const char *path) {
    struct stat found;
    return REAL(lstat)(path, &found) == 0 ? found.st_ino : 0;
}

// MARK: Control

void file_calls_watch(const char *folder) {
    pthread_mutex_lock(&lock);
    is_watching = 0;
    if (folder) {
        strncpy(root, folder, sizeof root - 1);
        root_length = strlen(root);
        is_watching = 1;
    }
    pthread_mutex_unlock(&lock);
}

void file_calls_record(void) {
    pthread_mutex_lock(&lock);
    for (int64_t i = 0; i < count; i++) { free(ops[i].path); free(ops[i].other); free(ops[i].data); }
    count = 0;
    is_recording = 1;
    pthread_mutex_unlock(&lock);
}

void file_calls_pause(int on) { is_recording = !on; }

void file_calls_mark(int64_t number) { note(file_op_mark, 0, number, 0, NULL, NULL, NULL); }
int64_t file_calls_count(void) { return count; }
const file_op *file_calls_get(int64_t index) { return &ops[index]; }

void file_calls_fail(int kind, int64_t n, int code, int forever) {
    pthread_mutex_lock(&lock);
    memset(seen, 0, sizeof seen);
    failed = 0;
    last[0] = 0;
    fail_kind = kind; fail_at = n; fail_code = code; fail_forever = forever;
    pthread_mutex_unlock(&lock);
}

int64_t file_calls_seen(int kind) { return seen[kind]; }
int64_t file_calls_failed(void) { return failed; }
const char *file_calls_last(void) { return last; }

// MARK: Descriptors

static int opened(const char *name, int (*call)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    const char *below = inside(path);
    if (!below) return call(path, flags, mode);
    if (fails(file_call_open, name, below)) return -1;
    struct stat found;
    int was = REAL(lstat)(path, &found) == 0;
    int fd = call(path, flags, mode);
    if (fd < 0 || fd >= MOST || fstat(fd, &found) != 0) return fd;
    kinds[fd] = S_ISDIR(found.st_mode) ? 2 : is_memory(path) ? 3 : 1;
    nodes[fd] = found.st_ino;
    if (kinds[fd] == 1 && !was) note(file_op_create, found.st_ino, 0, 0, below, NULL, NULL);
    if (kinds[fd] == 2) { /* folders are synced by path */
        pthread_mutex_lock(&lock);
        nodes[fd] = found.st_ino;
        pthread_mutex_unlock(&lock);
    }
    if (kinds[fd] == 1 && was && (flags & O_TRUNC)) note(file_op_truncate, found.st_ino, 0, 0, NULL, NULL, NULL);
    return fd;
}

static mode_t mode_of(int flags, va_list list) {
    return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(list, unsigned int) : 0;
}

SEEN int open(const char *path, int flags, ...) {
    va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list);
    return opened("open", REAL(open), path, flags, mode);
}

SEEN int open64(const char *path, int flags, ...) {
    va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list);
    return opened("open", REAL(open64), path, flags, mode);
}

SEEN int mkstemp(char *path) {
    const char *below = inside(path);
    if (below && fails(file_call_open, "mkstemp", below)) return -1;
    int fd = REAL(mkstemp)(path);
    struct stat found;
    if (below && fd >= 0 && fd < MOST && fstat(fd, &found) == 0) {
        kinds[fd] = 1;
        nodes[fd] = found.st_ino;
        note(file_op_create, found.st_ino, 0, 0, below, NULL, NULL);
    }
    return fd;
}

SEEN int close(int fd) {
    if (fd >= 0 && fd < MOST) kinds[fd] = 0;
    return REAL(close)(fd);
}

// MARK: Content

#define READ(name, ...) \
    if (known(fd) == 1 && fails(file_call_read, name, NULL)) return -1;

SEEN ssize_t read(int fd, void *buffer, size_t size) {
    READ("read")
    return REAL(read)(fd, buffer, size);
}

SEEN ssize_t pread(int fd, void *buffer, size_t size, off_t offset) {
    READ("pread")
    return REAL(pread)(fd, buffer, size, offset);
}

SEEN ssize_t pread64(int fd, void *buffer, size_t size, off64_t offset) {
    READ("pread")
    return REAL(pread64)(fd, buffer, size, offset);
}

static ssize_t wrote(int fd, int64_t offset, const void *data, ssize_t result) {
    if (result > 0) note(file_op_write, nodes[fd], offset, result, NULL, NULL, data);
    return result;
}

SEEN ssize_t write(int fd, const void *buffer, size_t size) {
    if (known(fd) != 1) return REAL(write)(fd, buffer, size);
    if (fails(file_call_write, "write", NULL)) return -1;
    int64_t offset = lseek(fd, 0, SEEK_CUR);
    return wrote(fd, offset, buffer, REAL(write)(fd, buffer, size));
}

SEEN ssize_t pwrite(int fd, const void *buffer, size_t size, off_t offset) {
    if (known(fd) != 1) return REAL(pwrite)(fd, buffer, size, offset);
    if (fails(file_call_write, "pwrite", NULL)) return -1;
    return wrote(fd, offset, buffer, REAL(pwrite)(fd, buffer, size, offset));
}

SEEN ssize_t pwrite64(int fd, const void *buffer, size_t size, off64_t offset) {
    if (known(fd) == 3 && fails(file_call_memory, "pwrite", NULL)) return -1;
    if (known(fd) != 1) return REAL(pwrite64)(fd, buffer, size, offset);
    if (fails(file_call_write, "pwrite", NULL)) return -1;
    return wrote(fd, offset, buffer, REAL(pwrite64)(fd, buffer, size, offset));
}

// Copies in portions, so that the bytes are seen.
static ssize_t copied(int to, int from, off_t *offset, size_t size) {
    char *buffer = malloc(65536);
    ssize_t sum = 0;
    while ((size_t)sum < size) {
        size_t portion = size - (size_t)sum < 65536 ? size - (size_t)sum : 65536;
        ssize_t got = offset ? pread(from, buffer, portion, *offset) : read(from, buffer, portion);
        if (got <= 0) { if (got < 0 && sum == 0) sum = -1; break; }
        ssize_t put = write(to, buffer, (size_t)got);
        if (put < 0) { if (sum == 0) sum = -1; break; }
        sum += put;
        if (offset) *offset += put;
        if (put < got) break;
    }
    int code = errno;
    free(buffer);
    errno = code;
    return sum;
}

SEEN ssize_t sendfile(int to, int from, off_t *offset, size_t size) {
    return known(to) == 1 ? copied(to, from, offset, size) : REAL(sendfile)(to, from, offset, size);
}

SEEN ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) { return sendfile(to, from, offset, size); }

static int cut(const char *name, int (*call)(int, off_t), int fd, off_t size) {
    int kind = known(fd);
    if (kind == 3 && fails(file_call_memory, name, NULL)) return -1;
    if (kind == 1 && fails(file_call_truncate, name, NULL)) return -1;
    int result = call(fd, size);
    if (kind == 1 && result == 0) note(file_op_truncate, nodes[fd], 0, size, NULL, NULL, NULL);
    return result;
}

SEEN int ftruncate(int fd, off_t size) { return cut("ftruncate", REAL(ftruncate), fd, size); }
SEEN int ftruncate64(int fd, off64_t size) { return cut("ftruncate", REAL(ftruncate64), fd, size); }

static int synced(const char *name, int (*call)(int), int fd) {
    int kind = known(fd);
    if (kind == 1 && fails(file_call_sync, name, NULL)) return -1;
    if (kind == 2 && fails(file_call_sync_folder, name, NULL)) return -1;
    // The disks of tests lose no power.
    if (kind == 0) return call(fd);
    if (kind == 1) note(file_op_sync, nodes[fd], 0, 0, NULL, NULL, NULL);
    if (kind == 2) note(file_op_sync_folder, nodes[fd], 0, 0, NULL, NULL, NULL);
    return 0;
}

SEEN int fsync(int fd) { return synced("fsync", REAL(fsync), fd); }
SEEN int fdatasync(int fd) { return synced("fdatasync", REAL(fdatasync), fd); }

static void *mapped(void *address, size_t size, int rights, int flags, int fd, off_t offset) {
    int kind = flags & MAP_ANONYMOUS ? 0 : known(fd);
    if (kind == 3 && fails(file_call_memory, "mmap", NULL)) return MAP_FAILED;
    if (kind == 1 && fails(file_call_read, "mmap", NULL)) return MAP_FAILED;
    return REAL(mmap)(address, size, rights, flags, fd, offset);
}

SEEN void *mmap(void *address, size_t size, int rights, int flags, int fd, off_t offset) {
    if (!is_watching) return REAL(mmap)(address, size, rights, flags, fd, offset);
    return mapped(address, size, rights, flags, fd, offset);
}

SEEN void *mmap64(void *address, size_t size, int rights, int flags, int fd, off64_t offset) {
    return mmap(address, size, rights, flags, fd, offset);
}

static int locked(const char *name, int (*call)(int, int, ...), int fd, int command, void *argument) {
    if ((command == F_SETLK || command == F_SETLKW) && known(fd) && ((struct flock *)argument)->l_type != F_UNLCK
        && fails(known(fd) == 3 ? file_call_memory : file_call_lock, name, NULL)) return -1;
    return call(fd, command, argument);
}

SEEN int fcntl(int fd, int command, ...) {
    va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list);
    return locked("fcntl", REAL(fcntl), fd, command, argument);
}

SEEN int fcntl64(int fd, int command, ...) {
    va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list);
    return locked("fcntl", REAL(fcntl64), fd, command, argument);
}

// MARK: Waiting

// SQLite waits for other processes, of which there are none, while calls fail.
SEEN int nanosleep(const struct timespec *time, struct timespec *rest) {
    return is_watching && fail_at > 0 ? 0 : REAL(nanosleep)(time, rest);
}

SEEN int usleep(useconds_t time) { return is_watching && fail_at > 0 ? 0 : REAL(usleep)(time); }

// MARK: Names

SEEN int unlink(const char *path) {
    const char *below = inside(path);
    if (!below || is_memory(path)) return REAL(unlink)(path);
    if (REAL(access)(path, F_OK) == 0 && fails(file_call_unlink, "unlink", below)) return -1;
    int result = REAL(unlink)(path);
    if (result == 0) note(file_op_unlink, 0, 0, 0, below, NULL, NULL);
    return result;
}

SEEN int rmdir(const char *path) {
    const char *below = inside(path);
    if (below && fails(file_call_unlink, "rmdir", below)) return -1;
    int result = REAL(rmdir)(path);
    if (below && result == 0) note(file_op_rmdir, 0, 0, 0, below, NULL, NULL);
    return result;
}

SEEN int mkdir(const char *path, mode_t mode) {
    const char *below = inside(path);
    struct stat found;
    if (below && REAL(lstat)(path, &found) != 0 && fails(file_call_folder, "mkdir", below)) return -1;
    int result = REAL(mkdir)(path, mode);
    if (below && result == 0) note(file_op_folder, node_of(path), 0, 0, below, NULL, NULL);
    return result;
}

SEEN int symlink(const char *target, const char *path) {
    const char *below = inside(path);
    if (below && fails(file_call_folder, "symlink", below)) return -1;
    int result = REAL(symlink)(target, path);
    if (below && result == 0) note(file_op_symlink, node_of(path), 0, 0, below, target, NULL);
    return result;
}

SEEN int link(const char *old, const char *path) {
    const char *below = inside(path);
    if (below && fails(file_call_rename, "link", below)) return -1;
    int result = REAL(link)(old, path);
    if (below && result == 0) note(file_op_link, node_of(path), 0, 0, below, NULL, NULL);
    return result;
}

SEEN int rename(const char *old, const char *path) {
    const char *from = inside(old), *to = inside(path);
    if (to && fails(file_call_rename, "rename", to)) return -1;
    int result = REAL(rename)(old, path);
    if (from && to && result == 0) note(file_op_rename, node_of(path), 0, 0, from, to, NULL);
    return result;
}

SEEN int renameat2(int old_folder, const char *old, int folder, const char *path, unsigned int flags) {
    const char *from = inside(old), *to = inside(path);
    if (to && fails(file_call_rename, "renameat2", to)) return -1;
    int result = REAL(renameat2)(old_folder, old, folder, path, flags);
    if (from && to && result == 0)
        note(flags & RENAME_EXCHANGE ? file_op_exchange : file_op_rename, node_of(path), 0, 0, from, to, NULL);
    return result;
}

// MARK: Looks

// SQLite takes a file that cannot be examined for a missing one, and no caller of it can know.
static int is_sqlite(void *caller) {
    Dl_info found;
    return dladdr(caller, &found) && found.dli_fname && strstr(found.dli_fname, "libsqlite3");
}

static int looks(int kind, const char *name, const char *path, void *caller) {
    const char *below = inside(path);
    return below && !is_memory(path) && !is_sqlite(caller) && fails(kind, name, below);
}

#define LOOK(name, ...) \
    if (looks(file_call_look, #name, path, __builtin_return_address(0))) return -1; \
    return REAL(name)(__VA_ARGS__);

SEEN int stat(const char *path, struct stat *found) { LOOK(stat, path, found) }
SEEN int stat64(const char *path, struct stat64 *found) { LOOK(stat64, path, found) }
SEEN int lstat(const char *path, struct stat *found) { LOOK(lstat, path, found) }
SEEN int lstat64(const char *path, struct stat64 *found) { LOOK(lstat64, path, found) }
SEEN int fstatat(int folder, const char *path, struct stat *found, int flags) {
    LOOK(fstatat, folder, path, found, flags)
}
SEEN int fstatat64(int folder, const char *path, struct stat64 *found, int flags) {
    LOOK(fstatat64, folder, path, found, flags)
}
SEEN int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *found) {
    LOOK(statx, folder, path, flags, mask, found)
}
SEEN int access(const char *path, int rights) { LOOK(access, path, rights) }

SEEN DIR *opendir(const char *path) {
    if (looks(file_call_list, "opendir", path, __builtin_return_address(0))) return NULL;
    return REAL(opendir)(path);
}
