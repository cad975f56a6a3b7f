// Keyed archives of sort descriptors, as on Apple's systems; see NSPredicate+Coding for how.

import Foundation

extension NSSortDescriptor: @retroactive NSSecureCoding {
    /// True: sort descriptors can be decoded securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the descriptor with Apple's keys.
    ///
    /// A descriptor that compares by a closure, or by a Swift key path without a name, cannot be archived:
    /// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` throws where it is called with descriptors;
    /// in the archive of another object it stops the program, as Apple's exception does.
    ///
    /// - Parameter coder: a keyed archiver.
    public func encode(with coder: NSCoder) {
        if hasComparator {
            return ArchiveFailures.report("A sort descriptor that compares by a closure cannot be archived.")
        }
        coder.encode(sortKey.map { NSString(string: $0) }, forKey: "NSKey")
        coder.encode(isAscending, forKey: "NSAscending")
        coder.encode(NSString(string: sortSelector ?? TextSort.plain.rawValue), forKey: "NSSelector")
    }
}

extension SortDescriptorMaking where Self: NSSortDescriptor {
    /// Reads a sort descriptor from an archive, of Apple's systems too.
    ///
    /// One that is decoded securely cannot compare before `allowEvaluation()`.
    ///
    /// The result is nil where the archive is damaged.
    ///
    /// - Parameter coder: a keyed unarchiver.
    public init?(coder: NSCoder) {
        let key = coder.text("NSKey")
        let selector = coder.text("NSSelector")
        let rule = selector.flatMap { $0 == TextSort.plain.rawValue ? nil : KeySortDescriptor.Rule.selector($0) }
        let made = KeySortDescriptor(key: key, ascending: coder.decodeBool(forKey: "NSAscending"), rule: rule)
        guard let result = made as? Self else { return nil }
        if coder.requiresSecureCoding { made.isForbidden.withLock { $0 = true } }
        self = result
    }

    /// Allows a sort descriptor that was decoded securely to compare objects.
    ///
    /// Look at its key path first: it comes from outside. Without this call the descriptor leaves the order as it is,
    /// which is logged; Apple's raises an exception.
    public func allowEvaluation() {
        (self as? KeySortDescriptor)?.isForbidden.withLock { $0 = false }
    }
}
