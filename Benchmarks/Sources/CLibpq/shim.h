// Debian keeps libpq's headers in a folder of its own, which pkg-config names if it is installed.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
