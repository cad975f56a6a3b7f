// The kinds of stores that the conformance suite runs against, and their missing features, with the reasons.
import Foundation
import ManagedGraph
import ManagedGraphPostgreSQL
import PostgreSQLSupport
import Testing

/// A kind of store, with its options.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case sqlite
    case sqliteWithoutLog
    case devNull
    case sharedMemory
    case inMemory
    case xml
    case binary
    /// The example of an atomic store.
    case json
    /// The example of an incremental store.
    case dictionary
    case postgreSQL
    /// A store of the distributed profile, whose user may not call the functions that distributed databases lack.
    case distributed

    /// PostgreSQL only if it is installed; the setup script installs it.
    static let allCases: [StoreKind] =
        [.sqlite, .sqliteWithoutLog, .devNull, .sharedMemory, .inMemory, .xml, .binary, .json, .dictionary]
        + (PostgreSQLServer.isInstalled ? [.postgreSQL, .distributed] : [])

    /// The features that a kind may lack.
    enum Feature: String {
        case reopening, readOnly, filePlaces, damage, aggregates, setsOfRows, triggers, unsetMetadata, queryGenerations
        case constraints, batches, history, transformables, twoCoordinators
    }

    var testDescription: String { rawValue }

    var type: String {
        switch self {
        case .sqlite, .sqliteWithoutLog, .devNull, .sharedMemory: NSSQLiteStoreType
        case .inMemory: NSInMemoryStoreType
        case .xml: NSXMLStoreType
        case .binary: NSBinaryStoreType
        case .json: JSONStore.storeType
        case .dictionary: DictionaryStore.storeType
        case .postgreSQL, .distributed: NSPostgreSQLStoreType
        }
    }

    var options: [String: Any] {
        self == .sqliteWithoutLog ? [NSSQLitePragmasOption: ["journal_mode": "DELETE"]] : [:]
    }

    func url(in folder: URL) -> URL {
        switch self {
        case .sqlite, .sqliteWithoutLog: folder.appending(path: "Store.sqlite")
        case .devNull, .inMemory: URL(filePath: "/dev/null")
        case .sharedMemory: URL(filePath: "/dev/null/\(folder.lastPathComponent)")
        case .xml: folder.appending(path: "Store.xml")
        case .binary: folder.appending(path: "Store.binary")
        case .json: folder.appending(path: "Store.json")
        case .dictionary: folder.appending(path: "service")
        case .postgreSQL:
            Self.address { try PostgreSQLServer.shared().address("postgres", "schema=\(folder.lastPathComponent)") }
        case .distributed:
            Self.address {
                try DistributedServer.shared().address(schema: folder.lastPathComponent, "profile=distributed")
            }
        }
    }

    /// An address on a server that all tests share; one that no server has if it cannot start.
    private static func address(_ make: () throws -> String) -> URL {
        do {
            return URL(string: try make()) ?? URL(filePath: "/dev/null")
        } catch {
            Issue.record(error)
            return URL(filePath: "/dev/null")
        }
    }

    var isFile: Bool { [.sqlite, .sqliteWithoutLog, .xml, .binary, .json].contains(self) }
    /// Whether rows are in a database with constraints and batch requests.
    var isDatabase: Bool { isSQLite || self == .inMemory || isPostgreSQL }
    var isPostgreSQL: Bool { self == .postgreSQL || self == .distributed }
    var isSQLite: Bool { [.sqlite, .sqliteWithoutLog, .devNull, .sharedMemory].contains(self) }

    /// The reason why the kind lacks a feature; nil if it has it.
    func reasonToLeaveOut(_ feature: Feature) -> String? {
        switch feature {
        case .reopening where self == .devNull || self == .inMemory:
            "what is in memory is gone when its coordinator is"
        case .twoCoordinators where self == .devNull || self == .inMemory:
            "each coordinator has a store in memory of its own"
        case .twoCoordinators where [.xml, .binary].contains(self):
            "a file that is written as a whole belongs to one coordinator; another's save is refused (tested apart)"
        case .twoCoordinators where self == .json:
            "the example does not look whether another has written the file"
        case .readOnly where !isFile: "there is no file to be opened for reading"
        case .filePlaces where !isFile, .damage where !isFile: "there is no file"
        case .aggregates where self == .dictionary, .setsOfRows where self == .dictionary:
            "the example's service does not group or compute"
        case .triggers where self == .dictionary: "derived attributes are the service's own affair"
        case .transformables where self == .json: "the example keeps what property lists hold"
        case .constraints where !isDatabase:
            "uniqueness constraints are SQLite's, as with Apple's framework"
        case .batches where !isDatabase: "batch requests are SQLite's, as with Apple's framework"
        case .history where self != .sqlite && self != .sqliteWithoutLog && !isPostgreSQL:
            "the history is a SQLite file's, as with Apple's framework"
        case .queryGenerations where self != .sqlite: "query generations need a SQLite file with a log"
        case .unsetMetadata where self == .dictionary: "the example replaces its metadata whole"
        default: nil
        }
    }

    /// Whether the kind has the feature that a test requires; prints the reason if not.
    func has(_ feature: Feature, in test: String = #function) -> Bool {
        guard let reason = reasonToLeaveOut(feature) else { return true }
        print("\(rawValue) leaves out \(test): \(reason).")
        return false
    }
}

extension NSManagedObjectContext {
    private func request(_ entity: String, _ format: String, _ arguments: [Any], sort: String)
        -> NSFetchRequest<NSManagedObject>
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
        return request
    }

    func all(
        _ entity: String,
        _ format: String = "TRUEPREDICATE",
        _ arguments: Any...,
        sort: String = "name"
    ) throws -> [NSManagedObject] {
        try fetch(request(entity, format, arguments, sort: sort))
    }

    func names(_ entity: String, _ format: String = "TRUEPREDICATE", _ arguments: Any...) throws -> [String] {
        try fetch(request(entity, format, arguments, sort: "name")).map(\.name)
    }
}

extension NSManagedObject {
    var name: String { value(forKey: "name") as? String ?? "?" }
}
