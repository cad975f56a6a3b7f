// The part of a context's changes that concerns one results controller.
import Foundation

/// The part of a notification that affects one controller.
struct ChangeShare {
    /// Objects that are or may be among the results, as indexes of the entries.
    var resultEntries: [Int] = []
    /// Related objects that place or select results, each with the index of the related key in the configuration.
    var related: [(entry: Int, key: Int)] = []
}
