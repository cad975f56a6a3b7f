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
}
