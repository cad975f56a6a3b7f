// The models and classes of all modules, registered by generated code at load time. NSPersistentContainer looks up
// models here, and ObjectLayout classes.
import Foundation
import Synchronization

/// The modules that the build plugin's code registers when a program is loaded.
public enum ManagedObjectRegistry {
    private struct State {
        var pending: [(module: String, make: @Sendable () -> ModuleRegistration)] = []
        var modules: [(module: String, registration: ModuleRegistration)] = []
        /// The number of calls that are making descriptions; more than one if a description looks up other modules.
        var makingCount = 0
        /// Entities by the identifier of their class, as in `CompiledModel`; the most recent model in use wins.
        var entities: [Int: NSEntityDescription] = [:]
        /// The model whose entities were recorded last; compiled models are never freed.
        var latestModel: ObjectIdentifier?
    }

    private static let state = Mutex(State())
    /// Held while descriptions are made: a thread that needs one of them waits for it.
    private static let making = NSRecursiveLock()

    /// Registers a module.
    ///
    /// Called by generated code before `main`.
    ///
    /// - Parameters:
    ///   - module: The module's name.
    ///   - make: Makes the description; called at the first lookup of a model or class.
    public static func register(module: String, _ make: @escaping @Sendable () -> ModuleRegistration) {
        state.withLock { $0.pending.append((module, make)) }
    }

    private static func modules() -> [(module: String, registration: ModuleRegistration)] {
        let complete = state.withLock { $0.pending.isEmpty && $0.makingCount == 0 ? $0.modules : nil }
        if let complete { return complete }
        return making.withLock {
            let pending = state.withLock { state in
                let pending = state.pending
                state.pending = []
                state.makingCount += 1
                return pending
            }
            // The closures run outside the state's lock, as they may look up other modules.
            let newModules = pending.map { ($0.module, $0.make()) }
            return state.withLock { state in
                state.modules.append(contentsOf: newModules)
                state.makingCount -= 1
                return state.modules
            }
        }
    }

    /// A model of any registered module.
    static func model(named name: String) -> ModuleRegistration.Model? {
        models().first { $0.name == name }
    }

    /// The names of all registered models.
    static func modelNames() -> [String] {
        modules().flatMap { $0.registration.models.map(\.name) }.sorted()
    }

    /// Every version of every registered model, for `mergedModel(from:)` and for migrations.
    static func models() -> [ModuleRegistration.Model] {
        modules().flatMap(\.registration.models)
    }

    /// Every mapping model of the program.
    static func mappings() -> [ModuleRegistration.Mapping] {
        modules().flatMap(\.registration.mappings)
    }

    /// The registration of the module whose resources a bundle holds; nil for other bundles.
    ///
    /// SwiftPM names the bundle after the package and the target: `Reading_ReadingModel.resources`, elsewhere `.bundle`.
    static func module(of bundle: Bundle) -> ModuleRegistration? {
        let url = bundle.bundleURL
        guard ["resources", "bundle"].contains(url.pathExtension) else { return nil }
        // The module of the target `reading-model` is `reading_model`.
        let name = String(url.deletingPathExtension().lastPathComponent.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        let matches = modules().filter { name.hasSuffix("_" + $0.module) }
        // Of the modules `Model` and `Reading_Model` the name has the longer one.
        return matches.max { $0.module.count < $1.module.count }?.registration
    }

    /// Qualifies a class name with the module of the model that uses it, if several modules have a class of that name.
    static func qualified(_ name: String, inModel modelName: String) -> String {
        let bare = name.hasPrefix(".") ? String(name.dropFirst()) : name
        let allModules = modules()
        let having = allModules.filter { $0.registration.classes.contains { $0.name == bare } }
        guard !bare.contains("."), having.count > 1,
            let home = having.first(where: { $0.registration.models.contains { $0.name == modelName } })
        else { return name }
        return "\(home.module).\(bare)"
    }

    /// The class name as compiled by Apple's tools; in a model, a leading dot means "the current module".
    ///
    /// - Parameter name: The name in the model.
    /// - Returns: `App.Task` for `.Task`, as `NSStringFromClass` returns it; `Task` if the program has no such class;
    ///   other names unchanged.
    static func compiledName(_ name: String) -> String {
        guard name.hasPrefix(".") else { return name }
        let bare = String(name.dropFirst())
        guard let match = registeredClass(named: bare) else { return bare }
        let full = String(reflecting: match.type)
        // The name of a private class is of no use elsewhere.
        return full.contains("(") ? bare : full
    }

    /// The first registered class of a bare name.
    private static func registeredClass(named bare: String) -> ModuleRegistration.Class? {
        modules().lazy.compactMap { $0.registration.classes.first { $0.name == bare } }.first
    }

    /// The registered class of a name, bare or with its module; nil if there is none.
    static func objectClass(named name: String) -> NSManagedObject.Type? {
        if name == "NSManagedObject" { return NSManagedObject.self }
        if let type = NamedClasses.type(named: name) { return type }
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count <= 2, let bare = parts.last else { return nil }
        guard parts.count == 2 else { return registeredClass(named: bare)?.type }
        return modules().lazy.filter { $0.module == parts[0] }
            .compactMap { $0.registration.classes.first { $0.name == bare }?.type }.first
    }

    /// The entities and classes that were logged as missing.
    private static let missingClasses = Mutex<Set<String>>([])

    /// Finds the class a model names: bare (`Task`), with a dot (`.Task`), with its module (`App.Task`) or mangled.
    ///
    /// - Parameters:
    ///   - name: The name in the model.
    ///   - entity: The entity's name, for messages.
    /// - Returns: The class, or `NSManagedObject` if there is none of that name.
    static func findClass(named name: String, entity: String) -> ModuleRegistration.Class {
        let plain = ModuleRegistration.Class(name: "NSManagedObject", type: NSManagedObject.self)
        guard !name.isEmpty, name != "NSManagedObject" else { return plain }
        let parts = name.split(separator: ".").map(String.init)
        guard let bare = parts.last else { return plain }
        let module = parts.count > 1 ? parts[0] : nil
        let allModules = modules()
        if let type = NamedClasses.type(named: name) {
            let registered = allModules.lazy.flatMap(\.registration.classes).first { $0.type == type }
            return registered ?? ModuleRegistration.Class(name: bare, type: type)
        }
        for registered in allModules where registered.module == module {
            if let match = registered.registration.classes.first(where: { $0.name == bare }) { return match }
        }
        if let match = registeredClass(named: bare) { return match }
        for candidate in classNames(for: name) {
            if let type = NSClassFromString(candidate) as? NSManagedObject.Type {
                return ModuleRegistration.Class(name: bare, type: type)
            }
        }
        // A program may load a hundred versions of its model.
        guard missingClasses.withLock({ $0.insert("\(entity) \(name)").inserted }) else { return plain }
        Diagnosis.log.warning(
            """
            The class \(name) of the entity \(entity) was not found; NSManagedObject is used instead. Add the plugin \
            GenerateManagedObjects to the target that has the class, or correct the entity's class name.
            """
        )
        return plain
    }

    /// The candidate names of a model's class in this process, one per module.
    static func classNames(for name: String) -> [String] {
        let bare = name.split(separator: ".").last.map(String.init) ?? name
        return [name] + (modules().map(\.module) + programModules).map { "\($0).\(bare)" }
    }

    /// The modules that the program may be named after: `reading_list` for `reading-list`, `Tests` for `Tests.xctest`.
    ///
    /// Foundation logs each name of two dots that it is asked for.
    private static let programModules: [String] = {
        let names = [Bundle.main.executableURL?.lastPathComponent, ProcessInfo.processInfo.processName]
        return Set(names.compactMap { $0.map(moduleName(ofProgram:)) }).sorted()
    }()

    /// The name of the module of a program, as SwiftPM derives it.
    ///
    /// - Parameter program: The name of the executable file.
    /// - Returns: The name without extension; each character that an identifier cannot have is an underscore.
    static func moduleName(ofProgram program: String) -> String {
        let name = program.split(separator: ".", omittingEmptySubsequences: false).first ?? ""
        return String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// The key paths of a registered class; empty for any other.
    static func keyPaths(of type: NSManagedObject.Type) -> [ManagedKeyPath] {
        for module in modules() {
            if let match = module.registration.classes.first(where: { $0.type == type }) { return match.keyPaths() }
        }
        return []
    }

    /// Records the entities of the classes of a model that is now in use; O(1) if it was used last.
    static func note(
        _ model: CompiledModel,
        _ entities: () -> [(type: NSManagedObject.Type, entity: NSEntityDescription)]
    ) {
        let identifier = ObjectIdentifier(model)
        if state.withLock({ $0.latestModel == identifier }) { return }
        let entities = entities()
        state.withLock { state in
            for (type, entity) in entities { state.entities[ObjectIdentifier(type).number] = entity }
            state.latestModel = identifier
        }
    }

    static func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
        if let entity = state.withLock({ $0.entities[ObjectIdentifier(type).number] }) { return entity }
        return nil
    }
}
