// The models and classes of one module, and the additions of those classes to the model's properties. Created by
// generated code, held by ManagedObjectRegistry.
import Foundation

/// The models and classes that the build plugin found in one module.
public struct ModuleRegistration: Sendable {
    /// Validates a property's value, and may replace it.
    public typealias Validator = @Sendable (NSManagedObject, inout Any?) throws -> Void

    /// A versioned model whose files are compiled into the program.
    public struct Model: Sendable {
        /// One version of a model.
        public struct Version: Sendable {
            /// The version's name, such as `Tasks 2`.
            public let name: String
            /// The text of the version's `contents` file.
            public let contents: @Sendable () -> String

            /// Makes a version.
            ///
            /// - Parameters:
            ///   - name: The version's name.
            ///   - contents: The text of its `contents` file.
            public init(name: String, contents: @escaping @Sendable () -> String) {
                self.name = name
                self.contents = contents
            }
        }

        /// The model's name, as passed to `NSPersistentContainer(name:)`.
        public let name: String
        /// All versions.
        public let versions: [Version]
        /// The name of the current version.
        public let currentVersion: String

        /// Makes a versioned model.
        ///
        /// - Parameters:
        ///   - name: The model's name.
        ///   - versions: All versions.
        ///   - currentVersion: The name of the current one.
        public init(name: String, versions: [Version], currentVersion: String) {
            self.name = name
            self.versions = versions
            self.currentVersion = currentVersion
        }
    }

    /// A mapping model whose file is compiled into the program.
    public struct Mapping: Sendable {
        /// The mapping model's name.
        public let name: String
        /// The file's content, converted to JSON by the code generator.
        public let contents: @Sendable () -> String

        /// Makes a mapping model's entry.
        ///
        /// - Parameters:
        ///   - name: The mapping model's name.
        ///   - contents: The file's content, as JSON.
        public init(name: String, contents: @escaping @Sendable () -> String) {
            self.name = name
            self.contents = contents
        }
    }

    /// A managed object class and its additions to the model.
    public struct Class: Sendable {
        /// The class's name without its module.
        public let name: String
        /// The class.
        public let type: NSManagedObject.Type
        /// `validate<Key>` methods by property name.
        public let validators: [String: Validator]
        /// Computed properties that stand for a model property, by name.
        public let computed: [String: @Sendable (NSManagedObject) -> Any?]
        /// The key paths of the class's model properties, including inherited ones.
        public let keyPaths: @Sendable () -> [ManagedKeyPath]

        /// Describes a class.
        ///
        /// - Parameters:
        ///   - name: The class's name without its module.
        ///   - type: The class.
        ///   - validators: `validate<Key>` methods by property name.
        ///   - computed: Computed properties that stand for a model property, by name.
        ///   - keyPaths: The key paths of its properties; called when one is first resolved.
        public init(
            name: String,
            type: NSManagedObject.Type,
            validators: [String: Validator] = [:],
            computed: [String: @Sendable (NSManagedObject) -> Any?] = [:],
            keyPaths: @escaping @Sendable () -> [ManagedKeyPath] = { [] }
        ) {
            self.name = name
            self.type = type
            self.validators = validators
            self.computed = computed
            self.keyPaths = keyPaths
        }
    }

    /// The module's models.
    public let models: [Model]
    /// The module's classes.
    public let classes: [Class]
    /// The module's mapping models.
    public let mappings: [Mapping]

    /// Describes a module.
    ///
    /// - Parameters:
    ///   - models: The module's models.
    ///   - classes: The module's classes.
    ///   - mappings: The module's mapping models.
    public init(models: [Model], classes: [Class], mappings: [Mapping] = []) {
        self.models = models
        self.classes = classes
        self.mappings = mappings
    }
}
