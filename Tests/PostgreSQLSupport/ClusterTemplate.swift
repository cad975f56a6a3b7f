// An empty cluster that new servers are copied from, which is four times as fast as making one. Kept in the temporary
// folder for the next processes of the tests.
import Foundation

enum ClusterTemplate {
    /// Copies the template, which is made first if there is none.
    ///
    /// Processes that make it at the same time do not disturb each other: it gets its name when it is complete.
    static func copy(to cluster: URL) throws {
        let owner = PostgreSQLPrograms.user?.number ?? geteuid()
        let version = try PostgreSQLPrograms.run([PostgreSQLPrograms.path("postgres"), "--version"])
            .filter { $0.isNumber || $0 == "." }
        let place = cluster.deletingLastPathComponent().deletingLastPathComponent()
        let template = place.appending(path: "mgpg-template-\(version)-\(owner)", directoryHint: .isDirectory)
        if !isUsable(template, owner) {
            let new = cluster.deletingLastPathComponent().appending(path: "template", directoryHint: .isDirectory)
            try make(new)
            // Fails if another process was first; then that one's is used.
            _ = rename(new.path, template.path)
        }
        let source =
            isUsable(template, owner)
            ? template : cluster.deletingLastPathComponent().appending(path: "template", directoryHint: .isDirectory)
        try PostgreSQLPrograms.run(["cp", "-a", source.path, cluster.path])
    }

    /// Whether the template is the server's user's own: another user could have put something else there.
    private static func isUsable(_ template: URL, _ owner: UInt32) -> Bool {
        var info = stat()
        return lstat(template.path, &info) == 0 && info.st_uid == owner && info.st_mode & (S_IFMT | 0o077) == S_IFDIR
            && FileManager.default.fileExists(atPath: template.appending(path: "PG_VERSION").path)
    }

    private static func make(_ cluster: URL) throws {
        try PostgreSQLPrograms.run([
            PostgreSQLPrograms.path("initdb"), "-D", cluster.path, "-U", PostgreSQLServer.user, "-A", "trust", "-E",
            "UTF8",
            "--locale=C.UTF-8", "--no-sync", "--no-instructions",
        ])
        let file = cluster.appending(path: "postgresql.conf")
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\ninclude_if_exists 'tests.conf'\n".utf8))
        try handle.close()
    }
}
