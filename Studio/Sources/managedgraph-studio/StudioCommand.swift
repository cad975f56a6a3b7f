// The command managedgraph-studio: serves the studio for files.
import ArgumentParser
import Foundation
import GraphUpkeep
import Logging
import ManagedGraphStudio

@main
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "managedgraph-studio",
        abstract: "Shows models and stores in web pages: a modeller, a browser of data, a console, history, migration.",
        discussion: """
            Open the printed address in a browser. It ends with a key, without which no page is shown. Stores are read-only \
            unless --write is given, and may be open elsewhere. A damaged file shows its error; the others still work.
            """
    )

    @Argument(
        help: """
            Models (.xcdatamodeld, .xcdatamodel, .momd, .mom) and stores: files (SQLite, XML, binary), or addresses \
            (postgresql://user@host:port/database?schema=name).
            """,
        completion: .file()
    )
    var files: [String] = []

    @Option(help: "The port; 0 for any that is free.")
    var port = 8082

    @Option(help: "The address of the interface. Others than the loopback interface can be reached from the network.")
    var host = "127.0.0.1"

    @Flag(help: "Allow changes of the stores' objects.")
    var write = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
        guard !files.isEmpty else {
            throw ValidationError("No file is given. Give models and stores: managedgraph-studio Shop.xcdatamodeld.")
        }
        for file in files where StoreAddress.isDatabase(file) {
            do {
                _ = try StoreAddress.url(file)
            } catch let error as NSError {
                let remedy = error.localizedRecoverySuggestion.map { " \($0)" } ?? ""
                throw ValidationError(error.localizedDescription + remedy)
            }
        }
        for file in files where !StoreAddress.isDatabase(file) && access(file, F_OK) != 0 {
            throw ValidationError(
                errno == ENOENT
                    ? "There is no file \(file)."
                    : "\(file) cannot be examined: \(String(cString: strerror(errno)))."
            )
        }
    }

    func run() async throws {
        var logger = Logger(label: "managedgraph-studio", factory: StreamLogHandler.standardError(label:))
        logger.logLevel = .warning
        let sources = try files.map { StudioSource(file: try StoreAddress.url($0), writable: write) }
        // From another machine, the key must not give access to all files of this one.
        let isLocal = ["127.0.0.1", "::1", "localhost"].contains(host)
        let studio = try Studio(sources, host: host, opening: isLocal ? (write ? .writable : .readOnly) : nil)
        // A browser cannot open an address that stands for all interfaces.
        let reachableHost = ["0.0.0.0", "::"].contains(host) ? ProcessInfo.processInfo.hostName : host
        let name = reachableHost.contains(":") ? "[\(reachableHost)]" : reachableHost
        do {
            try await studio.serve(host: host, port: port, logger: logger) { port in
                print("The studio is at http://\(name):\(port)\(studio.address()) (Ctrl-C stops it).")
                fflush(nil)
            }
        } catch {
            FileHandle.standardError.write(Data("The studio stopped: \(Self.explanation(error, port))\n".utf8))
            throw ExitCode.failure
        }
    }

    private static func explanation(_ error: any Error, _ port: Int) -> String {
        let description = "\(error)"
        guard description.contains("Address already in use") || description.contains("errno: 98") else {
            return description
        }
        return "port \(port) is in use. Stop the program that has it, or choose another: --port \(port + 1)"
    }
}
