// The differences between our files and the collected ones. Used by tests that compare all of a kind.

/// Counts equal files, and the reasons for differences.
package struct DifferenceTally {
    package private(set) var compared = 0
    package private(set) var equal = 0
    /// The number of differences by reason.
    package private(set) var reasons: [String: Int] = [:]
    /// The differences without a known reason.
    package private(set) var unexplained: [String] = []

    package init() {}

    /// Adds the comparison of two files.
    ///
    /// - Parameters:
    ///   - differences: The differences; none if the files are equal.
    ///   - file: The file's name, before the differences without a reason.
    ///   - reason: The known reason for a difference.
    package mutating func add(_ differences: [String], of file: String, reason: (String) -> String?) {
        compared += 1
        if differences.isEmpty { equal += 1 }
        for difference in differences {
            if let reason = reason(difference) {
                reasons[reason, default: 0] += 1
            } else {
                unexplained.append("\(file): \(difference)")
            }
        }
    }
}
