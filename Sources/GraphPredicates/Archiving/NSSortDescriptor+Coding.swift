// Keyed archives of sort descriptors, as on Apple's systems; NSPredicate+Coding explains the technique.

import Foundation

extension NSSortDescriptor: @retroactive NSSecureCoding {
    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the descriptor with Apple's keys.
    ///
    /// A descriptor that compares by a closure, or by a Swift key path without a name, cannot be archived:
    /// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` throws if it is called with such
    /// descriptors; the archive of another object traps, as Apple's exception does.
    ///
    /// - Parameter coder: A keyed archiver.
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
    /// Reads a sort descriptor from an archive written here or on Apple's systems.
    ///
    /// A descriptor that is decoded securely cannot compare before `allowEvaluation()`.
    ///
    /// The result is nil if the archive is damaged.
    ///
    /// - Parameter coder: A keyed unarchiver.
    public init?(coder: NSCoder) {
        let key = coder.text("NSKey")
        let selector = coder.text("NSSelector")
        let rule = selector.flatMap { $0 == TextSort.plain.rawValue ? nil : KeySortDescriptor.Rule.selector($0) }
        let descriptor = KeySortDescriptor(key: key, ascending: coder.decodeBool(forKey: "NSAscending"), rule: rule)
        guard let result = descriptor as? Self else { return nil }
        if coder.requiresSecureCoding { descriptor.isForbidden.withLock { $0 = true } }
        self = result
    }

    /// Allows a sort descriptor that was decoded securely to compare objects.
    ///
    /// Check its key path first, as it is untrusted input. Without this call the descriptor leaves the order unchanged,
    /// which is logged; Apple's raises an exception.
    public func allowEvaluation() {
        (self as? KeySortDescriptor)?.isForbidden.withLock { $0 = false }
    }
}
