// How a container is to add a store. A plain set of values, read by the container and the coordinator.
import Foundation

/// The settings for adding a persistent store.
///
/// See [NSPersistentStoreDescription](https://developer.apple.com/documentation/coredata/nspersistentstoredescription).
open class NSPersistentStoreDescription: NSObject, NSCopying {
    /// The type of the store; SQLite unless set.
    open var type: String = NSSQLiteStoreType
    /// The model's configuration for the store; nil for all entities.
    open var configuration: String?
    /// The location of the store; `file:///dev/null`, which is a store in memory, unless set.
    open var url: URL? = URL(filePath: "/dev/null")
    /// Whether the store is added on another thread; false unless set.
    open var shouldAddStoreAsynchronously = false
    /// The SQLite pragmas.
    ///
    /// Their conversion to and from Foundation's dictionary takes a twentieth of the time that a program needs for its
    /// first object.
    private var pragmas: [String: NSObject] = [:]
    /// The other options.
    private var storedOptions: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]

    /// Describes a store at a location.
    ///
    /// - Parameter url: The location of the store; `/dev/null` for one in memory. For the address of a database, such as
    ///   `postgresql://host/database`, the type is that of the database.
    public init(url: URL) {
        self.url = url
        super.init()
        if let type = StoreClasses.type(of: url) { self.type = type }
    }

    /// Describes a store in memory, at `file:///dev/null`.
    public override init() {
        super.init()
    }

    /// The options, by Apple's keys.
    open var options: [String: NSObject] {
        guard !pragmas.isEmpty else { return storedOptions }
        var options = storedOptions
        options[NSSQLitePragmasOption] = NSDictionary(dictionary: pragmas)
        return options
    }

    /// Sets or clears an option.
    ///
    /// - Parameters:
    ///   - option: The value, or nil.
    ///   - key: One of Apple's option keys.
    open func setOption(_ option: NSObject?, forKey key: String) {
        storedOptions[key] = option
        guard key == NSSQLitePragmasOption else { return }
        guard let values = option as? [String: Any] else { return pragmas = [:] }
        storedOptions[key] = nil
        pragmas = values.mapValues { value -> NSObject in
            // Foundation's dictionaries return texts in place of its class.
            switch value {
            case let text as String: NSString(string: text)
            case let number as NSNumber: number
            case let object as NSObject: object
            default: NSString(string: "\(value)")
            }
        }
    }

    /// Whether the store is opened for reading only; false unless set.
    open var isReadOnly: Bool {
        get { flag(NSReadOnlyPersistentStoreOption) ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// Seconds to wait for a locked store.
    ///
    /// Reads as 240 unless it is set, as with Apple's framework; a store whose description does not set it waits 5
    /// seconds.
    open var timeout: TimeInterval {
        get { (storedOptions[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// Whether a store of an older model version is migrated; true unless set.
    open var shouldMigrateStoreAutomatically: Bool {
        get { flag(NSMigratePersistentStoresAutomaticallyOption) ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether a migration may infer its mapping model; true unless set.
    open var shouldInferMappingModelAutomatically: Bool {
        get { flag(NSInferMappingModelAutomaticallyOption) ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// The SQLite pragmas set so far.
    open var sqlitePragmas: [String: NSObject] { pragmas }

    /// Sets or clears a SQLite pragma.
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - name: The pragma's name.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        pragmas[name] = value
        storedOptions[NSSQLitePragmasOption] = nil
    }

    private func flag(_ key: String) -> Bool? { StoreOptions.flag(storedOptions, key) }

    /// The options as the coordinator takes them.
    var coordinatorOptions: [AnyHashable: Any] {
        var options: [AnyHashable: Any] = storedOptions
        if !pragmas.isEmpty { options[NSSQLitePragmasOption] = pragmas }
        return options
    }

    /// Whether two descriptions have the same settings.
    ///
    /// - Parameter object: Another description.
    /// - Returns: False for other objects, too.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return self === other
            || type == other.type && configuration == other.configuration && url == other.url
                && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
                && storedOptions == other.storedOptions && pragmas == other.pragmas
    }

    /// The same for equal descriptions; it changes with the type, the location and the configuration.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(url)
        hasher.combine(configuration)
        return hasher.finalize()
    }

    /// A copy that can be changed on its own.
    ///
    /// - Parameter zone: Not used.
    /// - Returns: The copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.storedOptions = storedOptions
        copy.pragmas = pragmas
        return copy
    }
}
