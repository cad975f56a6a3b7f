// Methods of migration policies that mapping models call by selector.
import CoreData
import ExpectationSupport
import Foundation
import GraphPorting
import Testing

struct PolicyMethodTests {
    private func port(_ texts: [String], _ selectors: Set<String>) -> [Porter.Ported] {
        var surroundings = Porter.Surroundings()
        surroundings.policySelectors = selectors
        let sources = texts.enumerated().map { Porter.Source(path: "\($0.offset).swift", text: $0.element) }
        return Porter.port([Porter.Module(sources)], in: surroundings)[0]
    }

    @Test("A policy gets an override that calls the methods with the types of their parameters")
    func calls() {
        let text = """
            import CoreData

            public class Policy: NSEntityMigrationPolicy {
              @objc func color(for name: String, in theme: NSNumber?) throws -> String? { name }
              @objc func icon() -> Any { "" }
              @objc private func round(_ value: Double) -> Int { Int(value) }
              @objc func note(_ value: Any) {}
              func other(for name: String) -> String { name }
            }

            """
        let ported = port([text], ["colorFor:in:", "icon", "round:", "note:"])[0]
        expectEqual(
            ported.findings.filter { $0.rule == "policy-method" }.map { "\($0.line) \($0.isFixed)" }.sorted(),
            ["4 true", "5 true", "6 true", "7 true"]
        )
        let override = """

              #if !canImport(ObjectiveC)
              public override func value(forSelector selector: String, arguments: [Any?]) throws -> Any? {
                  switch selector {
                  case "colorFor:in:":
                      guard arguments.count == 2, let value0 = arguments[0] as? String else { break }
                      return try color(for: value0, in: arguments[1] as? NSNumber)
                  case "icon":
                      return icon()
                  case "note:":
                      guard arguments.count == 1, let value0 = arguments[0] else { break }
                      note(value0)
                      return nil
                  case "round:":
                      guard arguments.count == 1, let value0 = (arguments[0] as? NSNumber)?.doubleValue else { break }
                      return round(value0)
                  default: break
                  }
                  return try super.value(forSelector: selector, arguments: arguments)
              }
              #endif
            }

            """
        #expect(ported.after.hasSuffix(override), "\(ported.after)")
        let again = port([ported.after], ["colorFor:in:", "icon", "round:", "note:"])[0]
        expectEqual(again.after, ported.after)
        expectEqual(again.findings.filter { $0.rule == "policy-method" }.count, 0)
    }

    @Test("A method is reported if it must be called by hand, unless its policy overrides value(forSelector:)")
    func reports() {
        let text = """
            import CoreData

            class Policy: NSEntityMigrationPolicy {
                func colour<Name: StringProtocol>(for name: Name) -> String { "" }
                func icon() -> String { "" }
            }
            class Answering: NSEntityMigrationPolicy {
                func colour(for name: String) -> String { name }
                override func value(forSelector selector: String, arguments: [Any?]) throws -> Any? { nil }
            }
            class Conditional: NSEntityMigrationPolicy {
                func icon() -> String { "" }
                #if !canImport(ObjectiveC)
                override func value(forSelector selector: String, arguments: [Any?]) throws -> Any? { icon() }
                #endif
            }
            class Divided: NSEntityMigrationPolicy {}

            """
        let other = "import CoreData\n\nextension Divided {\n    @objc private func icon() -> String { \"\" }\n}\n"
        let ported = port([text, other], ["colourFor:", "icon"])
        expectEqual(
            ported[0].findings.map { "\($0.line) \($0.rule) \($0.isFixed)" },
            ["4 policy-method false", "5 policy-method false"]
        )
        expectEqual(
            ported[1].findings.filter { $0.rule == "policy-method" }.map { "\($0.line) \($0.isFixed)" },
            ["4 false"]
        )
    }

    @Test(
        "Selectors are found in the archives of expressions, with and without arguments",
        arguments: ["icon", "a:b:"]
    )
    func selectors(selector: String) throws {
        let arguments = selector.filter { $0 == ":" }.map { _ in ", 1" }.joined()
        let expression = GraphPredicates.NSExpression(format: "FUNCTION($entityPolicy, '\(selector)'\(arguments))")
        let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
        expectEqual(MappingSelectors.selectors(in: data), [selector])
    }
}
