// Tests of XCTest that stop the program on other platforms, or use functions of Apple's XCTest alone. They are reported.
import SwiftSyntax

enum TestCaseRule: PortingRule {
    static let name = "xctest"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
            if isTestCase(node.name.text) { look(node.attributes) }
            return .visitChildren
        }

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            if node.name.text.hasPrefix("test"), node.signature.parameterClause.parameters.isEmpty,
                let type = node.enclosingType, isTestCase(type)
            {
                look(node.attributes)
            }
            return .visitChildren
        }

        override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
            if node.baseName.text == "XCTExpectFailure", !file.isLeftOut(node) {
                file.report(
                    TestCaseRule.name,
                    at: node,
                    "XCTExpectFailure is part of Apple's XCTest alone",
                    "Put it under #if canImport(ObjectiveC), or throw XCTSkip; Swift Testing has withKnownIssue."
                )
            }
            return .visitChildren
        }

        private func isTestCase(_ name: String) -> Bool { index.lineage(name).contains("XCTestCase") }

        /// Reports an attribute that isolates a test to the main actor.
        private func look(_ attributes: AttributeListSyntax) {
            for element in attributes {
                guard case .attribute(let attribute) = element, !file.isLeftOut(attribute),
                    attribute.attributeName.trimmedDescription == "MainActor"
                else { continue }
                file.report(
                    TestCaseRule.name,
                    at: attribute,
                    "XCTest off Apple cannot cast tests of the main actor, and stops all tests at their start",
                    "Mark what the test calls, or put its body into await MainActor.run in an async test."
                )
            }
        }
    }
}
