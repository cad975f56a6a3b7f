// The class and the number of a kind of expression in Apple's archives.
import Foundation

/// A class that an archive names.
struct ArchivedClass: Hashable {
    let name: String
}
