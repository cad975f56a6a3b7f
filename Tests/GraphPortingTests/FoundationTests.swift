import ExpectationSupport
import Testing

@testable import GraphPorting

@Suite("Porting of calls to Foundation")
struct FoundationTests {
    private func findings(_ text: String) -> [Finding] {
        Porter.port([Porter.Source(path: "A.swift", text: text)]).flatMap(\.findings)
    }

    @Test("An unwrapped bundle identifier and archived classes in other types are reported: they stop the program")
    func stops() {
        let text = """
            import CoreData

            final class Cache {
                let logger = Logger(subsystem: Bundle.main.bundleIdentifier!, category: "cache")
                let name = Bundle.main.bundleIdentifier ?? "cache"
                class Entry: NSObject, NSSecureCoding {}
                class Key: NSObject {}
            }
            class Mark: NSObject, NSCoding {}
            """
        expectEqual(
            findings(text).filter { !$0.isFixed }.map { [$0.rule, "\($0.line)"] },
            [["foundation", "4"], ["foundation", "6"]]
        )
    }

    @Test("Tests of the main actor, which stop all tests, and expected failures are reported in classes of XCTest")
    func testCases() {
        let text = """
            import CoreData
            import XCTest

            @MainActor class Base: XCTestCase {}
            final class StackTests: Base {
                @MainActor func testSaves() throws { XCTExpectFailure("known") }
                @MainActor func prepare() {}
                @MainActor func test(_ name: String) {}
                #if canImport(ObjectiveC)
                @MainActor func testViews() {}
                #endif
            }
            @MainActor final class Library { func testAll() {} }
            """
        expectEqual(
            findings(text).map { "\($0.line):\($0.column) \($0.rule) \($0.isFixed)" },
            ["4:1 xctest false", "6:5 xctest false", "6:42 xctest false"]
        )
    }

    @Test("Code for builds other than those of packages is left alone")
    func otherBuilds() {
        let text = """
            import CoreData

            final class Stack {
                static var bundle: Bundle {
                    #if SWIFT_PACKAGE
                        return .module
                    #else
                        return Bundle(for: Stack.self)
                    #endif
                }
            }
            """
        #expect(findings(text).isEmpty)
    }

    @Test("The library folder is reported, which other platforms lack")
    func libraries() {
        let text = """
            import CoreData

            let folder = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first!
            let other = NSSearchPathForDirectoriesInDomains(
                FileManager.SearchPathDirectory.libraryDirectory, .userDomainMask, true)[0]
            let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first!
            func open(_ url: URL) {}
            """
        expectEqual(
            findings(text).filter { !$0.isFixed }.map { [$0.rule, "\($0.line)"] },
            [["foundation", "3"], ["foundation", "5"]]
        )
    }

    @Test("Casts of relationships' values to mutable sets are reported: a change of one would be lost")
    func mutableSets() {
        let text = """
            import CoreData

            extension NSManagedObject {
                func add(_ car: NSManagedObject) {
                    (value(forKey: "cars") as? NSMutableSet)?.add(car)
                    if let tours = self.value(forKeyPath: "tours") as? NSMutableOrderedSet { tours.add(car) }
                    _ = value(forKey: "cars") as? NSSet
                    _ = primitiveValue(forKey: "cars") as? NSMutableSet
                }
            }
            """
        let reports = findings(text)
        expectEqual(reports.map(\.line), [5, 6])
        expectEqual(
            reports.map(\.remedy),
            ["Call mutableSetValue(forKey:).", "Call mutableOrderedSetValue(forKey:)."]
        )
    }

    @Test("Types and calls that only Apple's Foundation has are reported, each type once")
    func missingTypes() {
        let text = """
            import CoreData

            final class Cache {
                private let objects = NSMapTable<NSString, NSManagedObject>.strongToWeakObjects()
                private var others: NSMapTable<NSString, NSManagedObject>?
                let formatter = RelativeDateTimeFormatter()
                func pack(_ data: NSData) throws -> NSData { try data.compressed(using: .zlib) }
                func fits(_ type: NSManagedObject.Type) -> Bool { type.isSubclass(of: NSManagedObject.self) }
            }
            """
        let reports = findings(text)
        expectEqual(reports.map(\.line), [4, 6, 7, 8])
        #expect(reports.allSatisfy { !$0.isFixed })
        let own = text + "\nclass NSMapTable<A, B> {}\n"
        expectEqual(findings(own).map(\.line), [6, 7, 8])
    }

    @Test("The name of a class that the runtime gives is reported, and a method of the program is not")
    func classNames() {
        let text = """
            import CoreData

            func all() -> NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: Task.className()) }
            """
        expectEqual(findings(text).map(\.line), [3])
        let own = text + "\nextension NSObject { class func className() -> String { String(describing: self) } }\n"
        #expect(findings(own).isEmpty)
    }

    @Test("Snapshots of data sources are reported, and the references that the framework has are not")
    func snapshots() {
        let text = """
            import CoreData
            import UIKit

            final class Source: NSObject, NSFetchedResultsControllerDelegate {
                func controller(
                    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
                    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
                ) {
                    let shown = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
                    print(shown.itemIdentifiers)
                }
            }
            """
        expectEqual(findings(text).filter { !$0.isFixed }.map(\.line), [9])
    }

    @Test("An object made for an entity and cast to a class that is not known is reported")
    func castObjects() {
        let text = """
            import CoreData

            func insert<T>(_ entity: NSEntityDescription, _ context: NSManagedObjectContext) -> T {
                NSManagedObject(entity: entity, insertInto: context) as! T
            }
            """
        expectEqual(findings(text).map(\.rule), ["entity-init"])
        #expect(findings(text).allSatisfy { !$0.isFixed })
    }

    @Test("A folder of URL without the type's name imports the module that has it")
    func impliedFolders() {
        let text = """
            import CoreData

            let place: URL = .cachesDirectory.appendingPathComponent("Tasks.sqlite")
            """
        #expect(findings(text).contains { $0.rule == "dependency" || $0.rule == "import" })
        let searched = """
            import CoreData

            let places = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
            """
        #expect(findings(searched).isEmpty)
    }
}
