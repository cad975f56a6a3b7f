// Tests the reports of observers and observed keys that a person has to change.
import ExpectationSupport
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
}
