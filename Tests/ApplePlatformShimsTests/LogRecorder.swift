// A handler of swift-log's messages for LoggingTests.
import Foundation
import Logging
import Synchronization

/// Records the messages of all loggers of the test.
struct LogRecorder: LogHandler {
    struct Entry: Equatable, Sendable {
        var label: String
        var category: String?
        var level: Logging.Logger.Level
        var text: String
    }

    static let entries = Mutex<[Entry]>([])
    static let isSetUp: Void = LoggingSystem.bootstrap { LogRecorder(label: $0) }

    static func entries(of label: String) -> [Entry] { entries.withLock { $0.filter { $0.label == label } } }

    let label: String
    var metadata: Logging.Logger.Metadata = [:]
    var logLevel = Logging.Logger.Level.debug

    subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let category = metadata["category"].map { "\($0)" }
        let entry = Entry(label: label, category: category, level: event.level, text: "\(event.message)")
        Self.entries.withLock { $0.append(entry) }
    }
}
