import Synchronization

/// The localized texts of a model in use, which equal models share.
final class LocalizedTexts: Sendable {
    private let content = Mutex<[String: String]?>(nil)

    var texts: [String: String]? {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
