// The methods that a results controller's delegate implements.
import Foundation

/// Optional methods of a delegate, as a set.
struct DelegateMethods: OptionSet {
    let rawValue: Int

    static let willChange = DelegateMethods(rawValue: 1)
    static let section = DelegateMethods(rawValue: 2)
    static let object = DelegateMethods(rawValue: 4)
    static let didChange = DelegateMethods(rawValue: 8)
    static let difference = DelegateMethods(rawValue: 16)
    static let indexTitle = DelegateMethods(rawValue: 32)
    static let snapshot = DelegateMethods(rawValue: 64)
    /// The methods that receive changes.
    static let changes: DelegateMethods = [.willChange, .section, .object, .didChange, .difference, .snapshot]
}
