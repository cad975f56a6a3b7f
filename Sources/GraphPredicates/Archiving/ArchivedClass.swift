// Reads and writes Apple's archived form of expressions: a class and a number for each kind, and the keys of its
// parts. Beside `ArchivedExpression`.
import Foundation

/// A class that an archive names.
struct ArchivedClass: Hashable {
    let name: String
}
