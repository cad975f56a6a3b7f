// The child process of the opening cases: the benchmark itself, started with an option that main checks first. It opens
// a file, reads one person, writes a line, and exits without closing the file.
import Foundation
import GRDB
import ManagedGraph

/// A started process that has read its first object.
struct OpenChild {
    static let option = "--open"

    enum Library: String, CaseIterable {
        case c = "c-api"
        case grdb = "grdb-row"
        case managed = "managedgraph"
    }

    private let process: pid_t
    private let line: String

    /// Starts a process and waits for its line.
    static func start(_ library: Library, _ file: URL, changes: Bool) throws -> OpenChild {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchmarkError("There is no pipe: \(errno).") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        let words = ["benchmark", option, library.rawValue, file.path, changes ? "change" : "read"]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, environ)
        close(ends[1])
        defer { close(ends[0]) }
        guard code == 0 else { throw BenchmarkError("A process cannot be started: \(code).") }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(ends[0], &bytes, bytes.count)
        return OpenChild(process: process, line: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
    }

    /// Waits for the process to exit.
    ///
    /// - Returns: The checksum of the first person.
    func finish() throws -> Checksum {
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status == 0, let number = Int64(line.dropLast()) else {
            throw BenchmarkError("The process that opens a file failed: \(status) \(line)")
        }
        var checksum = Checksum()
        checksum.add(number)
        return checksum
    }

    /// The main function of the process.
    static func main(_ arguments: [String]) throws {
        guard arguments.count == 3, let library = Library(rawValue: arguments[0]) else {
            throw BenchmarkError("\(option) needs a library, a file, and read or change.")
        }
        let file = URL(fileURLWithPath: arguments[1])
        let changes = arguments[2] == "change"
        let number =
            switch library {
            case .c: try c(file, changes)
            case .grdb: try grdb(file, changes)
            case .managed: try managed(file, changes)
            }
        print(number)
        fflush(nil)
        _exit(0)
    }

    private static let query = CPerson.select + " LIMIT 1"
    private static let change = "UPDATE person SET name = 'changed' WHERE id = 1"

    private static func c(_ file: URL, _ changes: Bool) throws -> Int64 {
        let database = try CDatabase(file)
        if changes { try database.execute(change) }
        let statement = try database.prepare(query)
        guard try statement.step() else { throw BenchmarkError("There is no person.") }
        let number = CPerson(statement).number
        // Leak the connection: the process exits with the file open.
        _ = Unmanaged.passRetained(database)
        return number
    }

    private static func grdb(_ file: URL, _ changes: Bool) throws -> Int64 {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        if changes { try queue.write { try $0.execute(sql: change) } }
        guard let person = try queue.read({ try PersonRecord.fetchOne($0, sql: query) }) else {
            throw BenchmarkError("There is no person.")
        }
        _ = Unmanaged.passRetained(queue)
        return person.number
    }

    private static func managed(_ file: URL, _ changes: Bool) throws -> Int64 {
        let store = try ManagedStore(file)
        let context = store.context()
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.fetchLimit = 1
        let number = try context.performAndWait {
            guard let person = try context.fetch(request).first else { throw BenchmarkError("There is no person.") }
            if changes {
                person.name = "changed"
                try context.save()
            }
            return person.number
        }
        _ = Unmanaged.passRetained(store)
        return number
    }
}
