// The server's programs on this machine, and the user that may run them. Used by PostgreSQLServer and PgBouncer.
import Foundation

/// Finds and runs PostgreSQL's programs.
package enum PostgreSQLPrograms {
    /// The folder of the newest server on this machine; nil if there is none.
    package static let folder: URL? = {
        var folders = ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? [])
            .sorted { $0.compare($1, options: .numeric) == .orderedDescending }
            .map { "/usr/lib/postgresql/\($0)/bin" }
        if let named = try? run(["pg_config", "--bindir"], asServer: false) {
            folders.append(named.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return folders.first { path in
            ["initdb", "postgres", "pg_ctl"].allSatisfy {
                FileManager.default.isExecutableFile(atPath: "\(path)/\($0)")
            }
        }.map { URL(filePath: $0, directoryHint: .isDirectory) }
    }()

    /// The reason for tests that are skipped without a server.
    package static let absence: Comment = "PostgreSQL is not installed; Scripts/setup.sh database installs it"

    package typealias Comment = String

    /// The user of servers if the tests run as root, which PostgreSQL refuses; nil otherwise.
    static let user: (number: uid_t, group: gid_t)? = {
        guard geteuid() == 0 else { return nil }
        for name in ["postgres", "nobody"] {  // words: allow
            if let entry = getpwnam(name)?.pointee { return (entry.pw_uid, entry.pw_gid) }
        }
        return nil
    }()

    /// The path of one of the server's programs.
    ///
    /// - Throws: `PostgreSQLServerError` if no server is installed.
    static func path(_ name: String) throws -> String {
        guard let folder else { throw PostgreSQLServerError("\(absence)") }
        return folder.appending(path: name).path
    }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - asServer: Whether it runs as the server's user.
    /// - Returns: Its output.
    /// - Throws: `PostgreSQLServerError` with the output if it fails.
    @discardableResult
    static func run(_ command: [String], asServer: Bool = true) throws -> String {
        let output = FileManager.default.temporaryDirectory.appending(path: "mgpg-\(UUID().uuidString).out")
        defer { try? FileManager.default.removeItem(at: output) }
        let status = try spawn((asServer ? prefix : []) + command, output: output)
        let text = try String(contentsOf: output, encoding: .utf8)
        guard status == 0 else { throw PostgreSQLServerError("\(command.joined(separator: " ")) failed: \(text)") }
        return text
    }

    /// Runs a program to its end, and returns its status.
    ///
    /// Foundation's `Process` does not report the end of a program as long as a server that it has started runs.
    private static func spawn(_ command: [String], output: URL) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Threads of the tests block signals, which stop a pooler.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PG") }
            .merging(["LC_ALL": "C"]) { $1 }
        // A server must not keep sockets and pipes of the tests open.
        let closing = """
            cd /; for file in /proc/self/fd/*; do file=${file##*/}; [ "$file" -gt 2 ] && eval "exec $file>&-"; done
            exec "$@"
            """
        let words = (["bash", "-c", closing, "bash"] + command).map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, "bash", &actions, &attributes, words, settings)
        guard code == 0 else {
            throw PostgreSQLServerError("\(command[0]) cannot be started: \(String(cString: strerror(code)))")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// The words before a command that the server's user runs.
    private static var prefix: [String] {
        user.map {
            ["setpriv", "--reuid=\($0.number)", "--regid=\($0.group)", "--clear-groups", "--inh-caps=-all"]
        } ?? []
    }

    /// Gives a file or a folder to the server's user.
    static func hand(_ file: URL) throws {
        guard let user, chown(file.path, user.number, user.group) != 0 else { return }
        throw PostgreSQLServerError(
            "\(file.path) cannot be given to the server's user: \(String(cString: strerror(errno)))"
        )
    }

    /// A new folder of the server's user, with a short path: those of sockets are limited.
    static func makeFolder() throws -> URL {
        for place in [FileManager.default.temporaryDirectory.path, "/tmp", "/var/tmp"] where place.utf8.count < 60 {
            var template = Array("\(place)/mgpg-XXXXXX".utf8CString)
            guard let path = mkdtemp(&template).map({ String(cString: $0) }) else { continue }
            let folder = URL(filePath: path, directoryHint: .isDirectory)
            try hand(folder)
            // The server's user must be able to enter the folders above.
            if (try? run(["test", "-w", folder.path])) != nil { return folder }
            try? FileManager.default.removeItem(at: folder)
        }
        throw PostgreSQLServerError("there is no temporary folder that the server's user can write")
    }

    /// A port of this machine that is free now.
    static func freePort() throws -> Int {
        var address = localAddress(port: 0)
        let code = withSocket { socket in
            withAddress(&address) { bind(socket, $0, $1) == 0 ? getsockname(socket, $0, &$1) : -1 }
        }
        guard code == 0 else { throw PostgreSQLServerError("no port is free") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Whether a program accepts connections at a port of this machine.
    static func isListening(at port: Int) -> Bool {
        var address = localAddress(port: port)
        return withSocket { socket in withAddress(&address) { connect(socket, $0, $1) } } == 0
    }

    /// Whether this machine has the address ::1, which many containers lack.
    package static let hasIPv6Loopback: Bool = {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "::1", &address.sin6_addr)
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }()

    private static func localAddress(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(port).bigEndian
        return address
    }

    private static func withSocket(_ body: (Int32) -> Int32) -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        return body(socket)
    }

    private static func withAddress(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32
    ) -> Int32 {
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }

    /// Ends everything in a folder when a process has ended, however it ends.
    ///
    /// A shell waits for the end of the process, in a session of its own, so that no signal to the tests reaches it.
    /// Servers are ended by the process identifiers in their own files.
    static func watch(_ folder: URL, until owner: Int32) throws {
        let script = """
            while kill -0 \(owner) 2>/dev/null; do sleep 0.3; [ -d "$1" ] || exit 0; done
            for file in "$1"/*/postmaster.pid "$1"/*/pgbouncer.pid; do
                [ -f "$file" ] && kill -QUIT "$(head -n 1 "$file")" 2>/dev/null
            done
            sleep 0.5
            for file in "$1"/*/postmaster.pid "$1"/*/pgbouncer.pid; do
                [ -f "$file" ] && kill -KILL "$(head -n 1 "$file")" 2>/dev/null
            done
            rm -rf "$1"
            """
        _ = try spawn(["setsid", "--fork", "sh", "-c", script, "sh", folder.path], output: URL(filePath: "/dev/null"))
    }
}
