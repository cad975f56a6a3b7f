// `Task.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>`: on other platforms a request for one type cannot be
// cast to one for another, and the cast fails at run time. A plain `as` selects the superclass's method on all
// platforms.
import SwiftSyntax

enum FetchRequestCastRule: PortingRule {
    static let name = "fetch-request-cast"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        /// The entity in `super.fetchRequest()` or `Task.fetchRequest()`, if that is `NSManagedObject`'s own method.
        private func entity(_ source: String, at node: some SyntaxProtocol) -> String? {
            guard source.hasSuffix(".fetchRequest()") else { return nil }
            let base = String(source.dropLast(".fetchRequest()".count))
            if base == "super" {
                let type = node.enclosingType?.split(separator: ".").last.map(String.init)
                let superclass = type.flatMap { index.lineage($0).dropFirst().first }
                return superclass.map(inheritsMethod) == true ? "entity()" : nil
            }
            return index.hasType(named: base) && inheritsMethod(base) ? "\(base).entity()" : nil
        }

        /// Whether a managed class has no method `fetchRequest()` of its own, declared or generated.
        private func inheritsMethod(_ name: String) -> Bool {
            index.isManaged(name) && index.lineage(name).allSatisfy { index.generated[$0] == nil }
                && index.members("fetchRequest()", of: name).isEmpty
        }

        /// The called expression in `NSFetchRequest<Task>(entityName: …)`.
        private static func maker(_ node: ExprSyntax) -> ExprSyntax? {
            guard let call = node.as(FunctionCallExprSyntax.self), call.arguments.first?.label?.text == "entityName",
                call.arguments.count == 1, call.trailingClosure == nil,
                call.calledExpression.trimmedDescription.hasPrefix("NSFetchRequest<")
            else { return nil }
            return call.calledExpression
        }

        /// The statement around `NSBatchDeleteRequest(fetchRequest: request as! …)`, and the cast with it.
        ///
        /// Requests for a deletion take fetch requests for any type off Apple.
        private func deletion(_ node: SequenceExprSyntax) -> (statement: Range<Int>, argument: Range<Int>)? {
            // Parentheses and an exclamation mark are around a conditional cast.
            var argument = Syntax(node)
            if let element = argument.parent?.as(LabeledExprSyntax.self), element.label == nil,
                let tuple = element.parent?.parent?.as(TupleExprSyntax.self), tuple.elements.count == 1,
                let forced = tuple.parent?.as(ForceUnwrapExprSyntax.self)
            {
                argument = Syntax(forced)
            }
            guard node.elements.count == 3,
                let label = argument.parent?.as(LabeledExprSyntax.self), label.label?.text == "fetchRequest",
                let call = label.parent?.parent?.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
                call.calledExpression.trimmedDescription == "NSBatchDeleteRequest", call.trailingClosure == nil,
                let statement = RepeatableStatement.around(Syntax(call), in: file, declarations: true)
            else { return nil }
            let start = argument.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = argument.endPositionBeforeTrailingTrivia.utf8Offset
            return (
                statement.positionAfterSkippingLeadingTrivia
                    .utf8Offset..<statement.endPositionBeforeTrailingTrivia
                    .utf8Offset, start..<end
            )
        }

        override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
            let elements = Array(node.elements)
            for (place, element) in elements.enumerated() {
                guard let cast = element.as(UnresolvedAsExprSyntax.self), place > 0, place + 1 < elements.count,
                    let mark = cast.questionOrExclamationMark, !file.isLeftOut(cast),
                    let type = elements[place + 1].as(TypeExprSyntax.self)?.type.trimmedDescription,
                    type.hasPrefix("NSFetchRequest<")
                else { continue }
                let source = elements[place - 1].trimmedDescription
                // A copy has the type of its original, which is seldom another.
                guard !source.hasSuffix(".copy()"), !source.hasSuffix(".mutableCopy()") else { continue }
                let isPlain =
                    type == "NSFetchRequest<NSFetchRequestResult>" || type == "NSFetchRequest<any NSFetchRequestResult>"
                let message =
                    "a fetch request for one type is not a request for another off Apple: this cast fails when it runs"
                let start = mark.positionAfterSkippingLeadingTrivia.utf8Offset
                if isPlain, mark.text == "!", source.hasSuffix(".fetchRequest()") || source == "fetchRequest()" {
                    file.report(
                        FetchRequestCastRule.name,
                        at: cast,
                        message,
                        "Without the mark, the type chooses the method of NSManagedObject.",
                        edits: [TextEdit(start..<start + 1, "")]
                    )
                } else if mark.text == "!", let callee = Self.maker(elements[place - 1]) {
                    // Create the same request with the requested type.
                    let begin = callee.positionAfterSkippingLeadingTrivia.utf8Offset
                    file.report(
                        FetchRequestCastRule.name,
                        at: cast,
                        message,
                        "The request is made for this type.",
                        edits: [
                            TextEdit(begin..<callee.endPositionBeforeTrailingTrivia.utf8Offset, type),
                            TextEdit(
                                elements[place - 1].endPositionBeforeTrailingTrivia
                                    .utf8Offset..<elements[place + 1].endPositionBeforeTrailingTrivia.utf8Offset,
                                ""
                            ),
                        ]
                    )
                } else if mark.text == "!", let entity = entity(source, at: cast) {
                    let range =
                        elements[place - 1].positionAfterSkippingLeadingTrivia
                        .utf8Offset..<elements[place + 1].endPositionBeforeTrailingTrivia.utf8Offset
                    file.report(
                        FetchRequestCastRule.name,
                        at: cast,
                        message,
                        "The request is made for this type.",
                        edits: [TextEdit(range, "\(type)(entityName: \(entity).name!)")]
                    )
                } else if isPlain, let deletion = deletion(node) {
                    let statement = deletion.statement
                    file.report(
                        FetchRequestCastRule.name,
                        at: cast,
                        message,
                        "Other platforms get the statement without the cast: a deletion takes requests for any type.",
                        edits: file.wrap(
                            statement,
                            in: "canImport(ObjectiveC)",
                            otherwise: file.text(statement.lowerBound..<deletion.argument.lowerBound) + source
                                + file.text(deletion.argument.upperBound..<statement.upperBound)
                        )
                    )
                } else {
                    file.report(
                        FetchRequestCastRule.name,
                        at: cast,
                        message,
                        "Make a request of this type: \(type)(entityName: …)."
                    )
                }
            }
            return .visitChildren
        }
    }
}
