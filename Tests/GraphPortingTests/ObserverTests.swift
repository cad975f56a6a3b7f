// Tests the reports of observers and observed keys that a person has to change.
import ExpectationSupport
import Foundation
import GraphPorting
import Testing

@Suite("Porting of observers")
struct ObserverTests {
    private func findings(_ text: String) -> [Finding] {
        Porter.port([Porter.Source(path: "A.swift", text: text)]).flatMap(\.findings)
    }

    @Test("Keys that an operation's state depends on are reported, outside of code for Apple's platforms")
    func dependentKeys() {
        let text = """
            import CoreData

            class Importing: Operation {
                @objc private dynamic var state = 0
                @objc private dynamic class func keyPathsForValuesAffectingIsFinished() -> Set<String> { ["state"] }
                #if canImport(ObjectiveC)
                @objc private dynamic class func keyPathsForValuesAffectingIsReady() -> Set<String> { ["state"] }
                #endif
            }
            class Task: NSManagedObject {
                @objc class func keyPathsForValuesAffectingFullName() -> Set<String> { ["name"] }
            }
            """
        let left = findings(text).filter { !$0.isFixed }
        expectEqual(left.map { "\($0.line):\($0.column) \($0.rule)" }, ["5:38 runtime"])
        #expect(left.allSatisfy { $0.remedy.contains("didChangeValue(for: \\Operation.isFinished)") })
    }

    @Test("An operation's isConcurrent, which other platforms lack, is kept for Apple's")
    func concurrentOperations() {
        let text = """
            import CoreData

            class Importing: Operation {
                override var isAsynchronous: Bool { true }
                override var isConcurrent: Bool { true }
            }
            class Queue: NSObject {
                var isConcurrent: Bool { true }
            }

            """
        let condition = "    #if canImport(ObjectiveC)\n    override var isConcurrent: Bool { true }\n    #endif\n"
        expectEqual(
            Porter.port([Porter.Source(path: "A.swift", text: text)]).first?.after,
            text.replacingOccurrences(of: "    override var isConcurrent: Bool { true }\n", with: condition)
        )
    }

    @Test("An actor below NSObject, which cannot be linked on other platforms, is reported")
    func actorsBelowNSObject() {
        let text = """
            import CoreData

            actor Cache: NSObject, NSFetchedResultsControllerDelegate {}
            actor Store: Cache {}
            """
        expectEqual(findings(text).map { "\($0.line):\($0.column) \($0.rule)" }, ["3:14 runtime"])
    }

    @Test("An observer that belongs to an actor is reported: a closure could not call it")
    func isolatedObservers() {
        let center = "NotificationCenter.default.addObserver"
        func observe(_ method: String) -> String {
            "        \(center)(self, selector: #selector(\(method)), name: .changed, object: nil)"
        }
        let text = """
            import CoreData

            @MainActor
            class Stack: NSObject {
                func start() {
            \(observe("bound"))
            \(observe("free"))
                }
                func bound() {}
                nonisolated func free() {}
            }
            final class Child: Stack {
                func begin() {
            \(observe("inherited"))
                }
                func inherited() {}
            }
            class Plain: NSObject {
                func start() {
            \(observe("plain"))
            \(observe("attributed"))
            \(observe("extended"))
                }
                func plain() {}
                @MainActor func attributed() {}
            }
            @MainActor extension Plain {
                func extended() {}
            }
            """
        let selectorFindings = findings(text).filter { $0.rule == "selector" }
        expectEqual(selectorFindings.map(\.isFixed), [false, true, false, true, false, false], "\(selectorFindings)")
    }

    @Test("An observer that is registered with a centre of the program's own is reported")
    func centresOfTheProgram() {
        let arguments = "(self, selector: #selector(changed), name: .changed, object: nil)"
        let text = """
            import CoreData

            protocol Center {
                func addObserver(_ observer: Any, selector: Selector, name: Notification.Name?, object: Any?)
            }
            class Stack: NSObject {
                let center: any Center
                func start() {
                    center.addObserver\(arguments)
                    NotificationCenter.default.addObserver\(arguments)
                }
                @objc func changed() {}
            }
            """
        expectEqual(findings(text).filter { $0.rule == "selector" }.map(\.isFixed), [false, true])
    }

    @Test("Functions of the Objective-C runtime, and its exceptions are reported, unless the program has them")
    func runtime() {
        let text = """
            import CoreData

            typealias Getter = @convention(block) (Any) -> Any?
            func objc_own() {}
            func add(_ getter: Getter, to type: AnyClass) {
                let name = "\\(type)_Own"
                let pair: AnyClass = objc_allocateClassPair(type, name, 0)!
                _ = imp_implementationWithBlock(getter)
                objc_registerClassPair(pair)
                _ = object_getClass(pair)
                NSException(name: .genericException, reason: name).raise()
                objc_own()
            }
            """
        let places = findings(text).map { "\($0.line):\($0.column) \($0.rule)" }
        expectEqual(places, ["7:26", "8:9", "9:5", "10:9", "11:5"].map { $0 + " runtime" })
        #expect(findings(text).allSatisfy { !$0.isFixed && !$0.remedy.isEmpty })
    }
}
