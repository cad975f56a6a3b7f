// The settings of the tests of shared stores. Used by those of kills, fail-overs, counters and isolation.
import Foundation

/// Settings of the long form, from the environment.
enum SharedStoreSetting {
    static func number(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }

    /// Prints the progress of a long run.
    static func progress(_ text: String) {
        FileHandle.standardError.write(Data("safety: \(text)\n".utf8))
    }
}
