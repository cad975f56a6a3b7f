// Tests the limits of composite attributes: a small file cannot describe more elements than memory can hold.
import ExpectationSupport
import Foundation
import GraphModel
import Testing

@testable import GraphArchives
@testable import GraphModelFiles

struct CompositeBudgetTests {
    /// An entity with a composite attribute, and a chain of types, each with several attributes of the next one.
    private static func text(fan: Int, depth: Int) -> String {
        let types = (0..<depth).map { level in
            let type = level == depth - 1 ? "String" : "Composite\" composite=\"C\(level + 1)"
            let attributes = (0..<fan).map { "<attribute name=\"a\($0)\" attributeType=\"\(type)\"/>" }
            return "<composite name=\"C\(level)\">\(attributes.joined())</composite>"
        }
        return "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
            + types.joined()
    }

    @Test(
        "Composite types whose elements multiply beyond any memory, or that are nested deep, are refused",
        arguments: [(10, 12), (1, CompositeBudget.depth + 1), (1, 50_000)]
    )
    func excess(fan: Int, depth: Int) throws {
        let body = Self.text(fan: fan, depth: depth)
        let error = #expect(throws: ModelFileError.self) { try ModelText.read(body) }
        expectEqual(error?.entity, "E")
        expectEqual(error?.property, "a")
        expectEqual(error?.reason.contains("nested more than 16 deep"), true)
    }

    @Test func typesNestedUpToTheLimitAreReadFromBothForms() throws {
        let model = try ModelText.read(Self.text(fan: 1, depth: CompositeBudget.depth))
        let compiled = try ModelFile.readModel(compiled: ModelFile.compiled(model), file: "x")
        expectEqual(compiled.versionHashes(), model.versionHashes())
    }

    @Test func aCompiledModelWhoseElementsAreSharedManyTimesIsRefused() throws {
        let model = try ModelText.read(Self.text(fan: 1, depth: 12))
        let written = try CompiledModelWriter.write(model, form: .cache)
        guard case .dictionary(var list) = try BinaryPropertyList.read(written),
            case .array(var objects)? = list["$objects"]
        else {
            Issue.record("this is not an archive")
            return
        }
        var changed = 0
        for object in objects {
            guard case .dictionary(let entries) = object,
                case .reference(let number)? = entries["NSCompositeElements"],
                case .dictionary(var elements) = objects[number], case .array(let members)? = elements["NS.objects"]
            else { continue }
            elements["NS.objects"] = .array(Array(repeating: members, count: 10).flatMap(\.self))
            objects[number] = .dictionary(elements)
            changed += 1
        }
        expectEqual(changed, 12)
        list["$objects"] = .array(objects)
        let data = BinaryPropertyListWriter.write(.dictionary(list))
        let error = #expect(throws: ModelFileError.self) { try ModelFile.readModel(compiled: data, file: "x") }
        expectEqual(error?.property, "a")
    }
}
