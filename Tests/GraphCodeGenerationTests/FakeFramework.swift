// A dictionary-based stand-in for the parts of ManagedGraph that generated code calls, and a program that uses a
// generated target. With it, a test compiles and runs generated code without building the framework.
import Foundation

enum FakeFramework {
    static let predicates = """
        import Foundation
        public class NSExpression: NSObject {}
        public class NSComparisonPredicate: NSObject {}
        """

    /// The stand-in for ManagedGraph, with the framework's own declaration of registrations.
    static func graph() throws -> String {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let registration = sources.appending(path: "ManagedGraph/Registration/ModuleRegistration.swift")
        return try classes + "\n" + String(contentsOf: registration, encoding: .utf8)
    }

    private static let classes = """
        @_exported import Foundation
        @_exported import GraphPredicates
        import Synchronization

        public final class ManagedProperty: Sendable {
            public let name: String
            public init(_ name: String) { self.name = name }
        }
        public struct ManagedKeyPath {
            public let name: String
            public let plain: AnyKeyPath
            public init<Root, Value>(_ name: String, _ keyPath: KeyPath<Root, Value>, _ chained: PartialKeyPath<Root?>) {
                self.name = name
                plain = keyPath
            }
        }
        public protocol NSFetchRequestResult {}
        public class NSFetchRequest<Result> {
            public let entityName: String
            public init(entityName: String) { self.entityName = entityName }
        }
        open class NSManagedObject: NSObject, NSFetchRequestResult {
            public var valuesByName: [String: Any] = [:]
            public var primitives: Set<String> = []
            public final var objectID: Int { 0 }
            public override required init() {}
            @_disfavoredOverload
            open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> { .init(entityName: "") }

            public final func managedValue<T>(for property: ManagedProperty) -> T {
                if let value = valuesByName[property.name] as? T { return value }
                if let type = T.self as? any ExpressibleByNilLiteral.Type, let none = type.init(nilLiteral: ()) as? T {
                    return none
                }
                if let zero = NSNumber(value: 0) as? T { return zero }
                if let empty = NSSet() as? T { return empty }
                fatalError("no value for \\(property.name)")
            }
            public final func setManagedValue<T>(_ value: T, for property: ManagedProperty) {
                valuesByName[property.name] = value
            }
            public final func managedAnyValue<T>(for property: ManagedProperty) -> T { managedValue(for: property) }
            public final func managedPrimitiveValue<T>(for property: ManagedProperty) -> T {
                primitives.insert(property.name)
                return managedValue(for: property)
            }
            public final func setManagedPrimitiveValue<T>(_ value: T, for property: ManagedProperty) {
                primitives.insert(property.name)
                valuesByName[property.name] = value
            }
            public final func addToManaged(_ value: Any, for property: ManagedProperty) {
                let old = NSMutableSet(set: valuesByName[property.name] as? Set<NSObject> ?? [])
                if let set = value as? NSSet { set.forEach { old.add($0) } } else { old.add(value) }
                valuesByName[property.name] = old.copy()
            }
            public final func removeFromManaged(_ value: Any, for property: ManagedProperty) {}
            public final func insertIntoManaged(_ object: NSManagedObject, at: Int, for property: ManagedProperty) {
                valuesByName[property.name] = NSOrderedSet(object: object)
            }
            public final func insertIntoManaged(_ objects: [NSManagedObject], at: NSIndexSet, for: ManagedProperty) {}
            public final func removeFromManaged(at: Int, for property: ManagedProperty) {}
            public final func removeFromManaged(at: NSIndexSet, for property: ManagedProperty) {}
            public final func replaceManaged(at: Int, with: NSManagedObject, for property: ManagedProperty) {}
            public final func replaceManaged(at: NSIndexSet, with: [NSManagedObject], for: ManagedProperty) {}
        }
        public enum ManagedObjectRegistry {
            private static let state = Mutex([@Sendable () -> ModuleRegistration]())
            public static func register(module: String, _ make: @escaping @Sendable () -> ModuleRegistration) {
                state.withLock { $0.append(make) }
            }
            public static var modules: [ModuleRegistration] { state.withLock { $0 }.map { $0() } }
        }
        public struct AutoreleasingUnsafeMutablePointer<Pointee> {
            private final class Box {
                var value: Pointee
                init(_ value: Pointee) { self.value = value }
            }
            private let box: Box
            public init(_ value: Pointee) { box = Box(value) }
            public var pointee: Pointee { get { box.value } nonmutating set { box.value = newValue } }
        }
        """

    static let program = """
        import Foundation
        import ManagedGraph
        import Paint
        import Shelf

        func check(_ isTrue: Bool, _ line: Int = #line) {
            if !isTrue { print("line \\(line)"); exit(1) }
        }
        func test() {
            let loan = Loan()
            loan.parts.insert(Loan())
            check(loan.parts.count == 1)
            loan.addToParts(Loan())
            check(loan.parts.count == 2)
            loan.setUp()
            check(loan.primitives == ["dueDate", "note"] && loan.note == "ab" && loan.isOverdue)
            check(loan.dueDate == Date(timeIntervalSinceReferenceDate: 0))
            let path = \\Loan.dueDate
            loan[keyPath: path] = nil
            check(loan.dueDate == nil && !loan.isOverdue)
            let author = Author()
            author.name = "x"
            author.name? += "y"
            author.rank += 1
            author.default = "d"
            author.tags = ["t"]
            check(author.upper == "XY" && author.rank == 1 && author.tags == ["t"] && author.id == nil)
            let book = Book()
            author.addToBooks(book)
            author.insertIntoShelf(book, at: 0)
            check(author.books == NSSet(object: book) && author.shelf == NSOrderedSet(object: book))
            check(Author.fetchRequest().entityName == "Author")
            let poets: NSFetchRequest<Poet> = Poet.fetchRequest()
            check(poets.entityName == "Poet")

            let modules = ManagedObjectRegistry.modules
            check(modules.count == 1 && modules[0].models.map(\\.name) == ["Library"])
            check(modules[0].models[0].versions[0].contents() == "<model \\"quoted\\"\\\\\\n\\ttext=\\"é\\"/>\\n")
            check(modules[0].classes.map(\\.name) == ["Author", "Poet", "Book", "Note", "Page", "Loan"])
            guard let described = modules[0].classes.last else { return check(false) }
            check(described.computed["isOverdue"]?(loan) as? Bool == false)
            check(described.computed["isMarked"]?(loan) as? Bool == true)
            check(described.keyPaths().contains { $0.name == "dueDate" && $0.plain == \\Loan.dueDate as AnyKeyPath })
            check(described.keyPaths().contains { $0.name == "isMarked" && $0.plain == \\Loan.isMarked as AnyKeyPath })
            func validate(_ key: String, _ value: Any?) -> (value: Any?, code: Int) {
                var value = value
                do {
                    try described.validators[key]?(loan, &value)
                    return (value, 0)
                } catch {
                    return (value, (error as NSError).code)
                }
            }
            check(validate("dueDate", Date(timeIntervalSinceReferenceDate: 0)).code == 1001)
            let replaced = validate("dueDate", Date())
            check(replaced.code == 0 && replaced.value as? Date == Date(timeIntervalSinceReferenceDate: 5))
            check(validate("dueDate", nil).code == 0)
            check(validate("note", "bad").code == 1002 && validate("note", nil).code == 0)
            check(validate("state", 1).value as? Int16 == 7)
            check(validate("isOverdue", true).value as? Bool == false && validate("isOverdue", nil).value == nil)
            check(described.validators["book"] == nil && described.validators["parts"] == nil)
            print("OK")
        }
        test()
        """
}
