// Apple's rule which values of a log message may be read by others. Used by OSLogInterpolation and os_log.
#if !canImport(os)
    import Foundation

    /// Who may read a value in a log.
    public struct OSLogPrivacy: Hashable, Sendable {
        /// How hidden values can be distinguished.
        public enum Mask: Hashable, Sendable {
            /// It is not.
            case none
            /// By a hash of it.
            case hash
        }

        private enum Kind: Hashable { case auto, `public`, `private`, sensitive }

        private let kind: Kind
        private let mask: Mask

        /// Numbers can be read; texts and objects cannot.
        public static let auto = OSLogPrivacy(kind: .auto, mask: .none)
        /// The value can be read.
        public static let `public` = OSLogPrivacy(kind: .public, mask: .none)
        /// The value is hidden.
        public static let `private` = OSLogPrivacy(kind: .private, mask: .none)
        /// The value is hidden, always.
        public static let sensitive = OSLogPrivacy(kind: .sensitive, mask: .none)

        /// The value is hidden; a hash tells it from others.
        ///
        /// - Parameter mask: What stands for it.
        /// - Returns: The rule.
        public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .private, mask: mask) }

        /// The value is hidden, always; a hash tells it from others.
        ///
        /// - Parameter mask: What stands for it.
        /// - Returns: The rule.
        public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: mask) }

        /// Texts and objects can be read only if they are public, numbers unless they are private.
        ///
        /// - Parameter mask: What stands for a hidden value.
        /// - Returns: The rule.
        public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }

        /// Whether hidden values are shown all the same, as Xcode's debugger shows them.
        static let showsPrivate = ProcessInfo.processInfo.environment["OS_LOG_SHOW_PRIVATE"] == "1"

        /// What stands in the log for a value.
        func shown(_ text: String, isNumber: Bool, showsPrivate: Bool = OSLogPrivacy.showsPrivate) -> String {
            let isHidden =
                switch kind {
                case .public: false
                case .auto: !isNumber && !showsPrivate
                case .private: !showsPrivate
                case .sensitive: true
                }
            guard isHidden else { return text }
            guard mask == .hash else { return "<private>" }
            // A hash that differs from process to process, so that it cannot be looked up.
            return "<mask.hash: '\(String(UInt(bitPattern: text.hashValue), radix: 16))'>"
        }
    }
#endif
