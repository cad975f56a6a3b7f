// Apple's rules for the visibility of values in log messages. Used by OSLogInterpolation and os_log.
#if !canImport(os)
    import Foundation

    /// The visibility of a value in a log.
    public struct OSLogPrivacy: Hashable, Sendable {
        /// The way to distinguish hidden values.
        public enum Mask: Hashable, Sendable {
            /// Hidden values are indistinguishable.
            case none
            /// By their hash.
            case hash
        }

        private enum Kind: Hashable { case auto, `public`, `private`, sensitive }

        private let kind: Kind
        private let mask: Mask

        /// Shows numbers, hides texts and objects.
        public static let auto = OSLogPrivacy(kind: .auto, mask: .none)
        /// Shows the value.
        public static let `public` = OSLogPrivacy(kind: .public, mask: .none)
        /// Hides the value.
        public static let `private` = OSLogPrivacy(kind: .private, mask: .none)
        /// Always hides the value.
        public static let sensitive = OSLogPrivacy(kind: .sensitive, mask: .none)

        /// Hides the value; a mask may distinguish it from others.
        ///
        /// - Parameter mask: The replacement of the value.
        /// - Returns: The rule.
        public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .private, mask: mask) }

        /// Always hides the value; a mask may distinguish it from others.
        ///
        /// - Parameter mask: The replacement of the value.
        /// - Returns: The rule.
        public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .sensitive, mask: mask) }

        /// Shows numbers, hides texts and objects.
        ///
        /// - Parameter mask: The replacement of a hidden value.
        /// - Returns: The rule.
        public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(kind: .auto, mask: mask) }

        /// Whether to show hidden values anyway, as Xcode's debugger does.
        static let showsPrivate = ProcessInfo.processInfo.environment["OS_LOG_SHOW_PRIVATE"] == "1"

        /// The text in the log for a value.
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
            // Different in each process, so that the hash cannot be looked up.
            return "<mask.hash: '\(String(UInt(bitPattern: text.hashValue), radix: 16))'>"
        }
    }
#endif
