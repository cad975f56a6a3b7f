// The state of a job as shown in browsers: a value, sent over the event streams and rendered in pages.
import WebSupport

struct JobState: Sendable, Equatable {
    enum Phase: String, Sendable {
        case running, done, cancelled, failed
    }

    var title: String
    var words: String
    var percent: Int
    var phase: Phase

    var json: String {
        JSONValue.object([
            ("title", .string(title)), ("words", .string(words)), ("percent", .integer(percent)),
            ("phase", .string(phase.rawValue)),
        ]).text
    }
}
