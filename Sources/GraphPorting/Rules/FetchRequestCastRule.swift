// `Task.fetchRequest() as! NSFetchRequest<NSFetchRequestResult>`: on other platforms a request for one type cannot be
// cast to one for another, and the cast fails at run time. A plain `as` selects the superclass's method on all
// platforms. Other casts, and cases of a switch that are casts, become calls of the framework's
// castFetchRequest(_:to:).
import SwiftSyntax

enum FetchRequestCastRule: PortingRule {
    static let name = "fetch-request-cast"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        private static let message =
            "a fetch request for one type is not a request for another off Apple: this cast fails when it runs"

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

        /// Reports `unsafeBitCast` of a request or of its results: those for any type have another layout than those
        /// for a class.
        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            let target = node.arguments.last?.expression.trimmedDescription ?? ""
            if node.calledExpression.trimmedDescription == "unsafeBitCast", target.hasPrefix("NSFetchRequest<"),
                !target.hasSuffix("NSFetchRequestResult>.self"), !file.isLeftOut(node)
            {
                file.report(
                    FetchRequestCastRule.name,
                    at: node,
                    "the results of a request for one type have another layout than those of one for another",
                    "Call castFetchRequest(_:to:), which returns an equal request of the type, or make the request for "
                        + "the type."
                )
            }
            return .visitChildren
        }

        override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
            let elements = Array(node.elements)
            for (place, element) in elements.enumerated() where place > 0 && place + 1 < elements.count {
                let (value, operand) = (elements[place - 1], elements[place + 1])
                guard let type = operand.as(TypeExprSyntax.self).flatMap({ Self.request($0.type) }) else { continue }
                if let test = element.as(UnresolvedIsExprSyntax.self), !file.isLeftOut(test) {
                    rewrite(test, Self.call(on: value, before: operand, type, then: " != nil"))
                } else if let cast = element.as(UnresolvedAsExprSyntax.self),
                    let mark = cast.questionOrExclamationMark, !file.isLeftOut(cast)
                {
                    port(cast, mark, of: value, to: operand, type, in: node)
                }
            }
            return .visitChildren
        }

        /// Ports a cast of a value by the simplest change that keeps its meaning.
        private func port(
            _ cast: UnresolvedAsExprSyntax,
            _ mark: TokenSyntax,
            of value: ExprSyntax,
            to operand: ExprSyntax,
            _ type: String,
            in node: SequenceExprSyntax
        ) {
            let source = value.trimmedDescription
            let isForced = mark.text == "!"
            let isPlain =
                type == "NSFetchRequest<NSFetchRequestResult>" || type == "NSFetchRequest<any NSFetchRequestResult>"
            // The copy of a request has the request's type, so its cast succeeds; a model's template is of another
            // type.
            let isCopy = source.hasSuffix(".copy()") || source.hasSuffix(".mutableCopy()")
            let isTemplate = source.contains("fetchRequestTemplate") || source.contains("fetchRequestFromTemplate")
            guard !isCopy || isTemplate && !isPlain else { return }
            let start = value.positionAfterSkippingLeadingTrivia.utf8Offset
            let valueEnd = value.endPositionBeforeTrailingTrivia.utf8Offset
            let typeEnd = operand.endPositionBeforeTrailingTrivia.utf8Offset
            if isPlain, isForced, source.hasSuffix(".fetchRequest()") || source == "fetchRequest()" {
                let place = mark.positionAfterSkippingLeadingTrivia.utf8Offset
                report(
                    cast,
                    "Without the mark, the type chooses the method of NSManagedObject.",
                    [TextEdit(place..<place + 1, "")]
                )
            } else if isForced, let callee = Self.maker(value) {
                // Create the same request with the requested type.
                let begin = callee.positionAfterSkippingLeadingTrivia.utf8Offset
                report(
                    cast,
                    "The request is made for this type.",
                    [
                        TextEdit(begin..<callee.endPositionBeforeTrailingTrivia.utf8Offset, type),
                        TextEdit(valueEnd..<typeEnd, ""),
                    ]
                )
            } else if isForced, let entity = entity(source, at: cast) {
                report(
                    cast,
                    "The request is made for this type.",
                    [TextEdit(start..<typeEnd, "\(type)(entityName: \(entity).name!)")]
                )
            } else if isPlain, let deletion = deletion(node) {
                let statement = deletion.statement
                report(
                    cast,
                    "Other platforms get the statement without the cast: a deletion takes requests for any type.",
                    file.wrap(
                        statement,
                        in: "canImport(ObjectiveC)",
                        otherwise: file.text(statement.lowerBound..<deletion.argument.lowerBound) + source
                            + file.text(deletion.argument.upperBound..<statement.upperBound)
                    )
                )
            } else if source.hasSuffix("fetchRequest()") {
                // The type of the cast may decide which method is called.
                report(cast, "Make a request of this type: \(type)(entityName: …).", nil)
            } else {
                rewrite(cast, Self.call(on: value, before: operand, type, then: isForced ? "!" : ""))
            }
        }

        private func report(_ cast: UnresolvedAsExprSyntax, _ remedy: String, _ edits: [TextEdit]?) {
            file.report(FetchRequestCastRule.name, at: cast, Self.message, remedy, edits: edits)
        }

        /// Passes a value to the framework's function, in place of the operator and the type that follow it.
        private static func call(
            on value: ExprSyntax,
            before operand: ExprSyntax,
            _ type: String,
            then end: String
        ) -> [TextEdit] {
            let valueEnd = value.endPositionBeforeTrailingTrivia.utf8Offset
            return [
                TextEdit(at: value.positionAfterSkippingLeadingTrivia.utf8Offset, "castFetchRequest("),
                TextEdit(
                    valueEnd..<operand.endPositionBeforeTrailingTrivia.utf8Offset,
                    ", to: \(type).self)\(end)"
                ),
            ]
        }

        // MARK: Calls of castFetchRequest

        /// The function's declaration for Apple's platforms, which a ported file gets once.
        private lazy var function = CastFunction(
            "castFetchRequest",
            [
                "/// On Apple's platforms a fetch request can be cast to one for any type.",
                "private func castFetchRequest<Request>(_ request: Any?, to type: Request.Type) -> Request? {",
                "    request as? Request", "}",
            ],
            in: file
        )

        /// Reports a cast with the edits that make it a call of castFetchRequest(_:to:).
        ///
        /// The framework declares the function; for Apple's platforms, the file gets a declaration of its own.
        private func rewrite(_ node: some SyntaxProtocol, _ edits: [TextEdit]) {
            file.report(
                FetchRequestCastRule.name,
                at: node,
                Self.message,
                "castFetchRequest(_:to:) gives an equal request of the type, and casts on Apple's platforms.",
                edits: function.adding(to: edits, in: file)
            )
        }

        /// The type in `… as NSFetchRequest<Task>` and `is NSFetchRequest<Task>`, if it is one of a request.
        private static func request(_ type: some SyntaxProtocol) -> String? {
            let text = type.trimmedDescription
            return text.hasPrefix("NSFetchRequest<") ? text : nil
        }

        /// The parts of the pattern `let request as NSFetchRequest<Task>`.
        private static func binding(_ pattern: PatternSyntax) -> (word: String, name: String, type: String)? {
            guard let bound = pattern.as(ValueBindingPatternSyntax.self),
                let elements = bound.pattern.as(ExpressionPatternSyntax.self)?.expression.as(SequenceExprSyntax.self)?
                    .elements, elements.count == 3
            else { return nil }
            let parts = Array(elements)
            guard let cast = parts[1].as(UnresolvedAsExprSyntax.self), cast.questionOrExclamationMark == nil,
                let type = parts[2].as(TypeExprSyntax.self).flatMap({ request($0.type) })
            else { return nil }
            return (bound.bindingSpecifier.text, parts[0].trimmedDescription, type)
        }

        /// `if case let request as NSFetchRequest<Task> = value`.
        override func visit(_ node: MatchingPatternConditionSyntax) -> SyntaxVisitorContinueKind {
            guard let binding = Self.binding(node.pattern), !file.isLeftOut(node) else { return .visitChildren }
            let value = node.initializer.value
            rewrite(
                node,
                [
                    TextEdit(
                        node.positionAfterSkippingLeadingTrivia
                            .utf8Offset..<node.pattern.endPositionBeforeTrailingTrivia
                            .utf8Offset,
                        "\(binding.word) \(binding.name)"
                    ), TextEdit(at: value.positionAfterSkippingLeadingTrivia.utf8Offset, "castFetchRequest("),
                    TextEdit(at: value.endPositionBeforeTrailingTrivia.utf8Offset, ", to: \(binding.type).self)"),
                ]
            )
            return .visitChildren
        }

        /// `switch value { case let request as NSFetchRequest<Task>: … }`.
        override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
            let subject = node.subject.trimmedDescription
            // The subject is written again in the condition, so a call in it would be repeated.
            let isName = subject.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
            for case .switchCase(let section) in node.cases where !file.isLeftOut(section) {
                guard case .case(let label) = section.label else { continue }
                for item in label.caseItems {
                    let binding = Self.binding(item.pattern)
                    let tested = item.pattern.as(IsTypePatternSyntax.self).flatMap { Self.request($0.type) }
                    guard let type = binding?.type ?? tested else { continue }
                    guard isName, label.caseItems.count == 1, item.whereClause == nil else {
                        file.report(
                            FetchRequestCastRule.name,
                            at: item,
                            "a fetch request for one type is not a request for another off Apple: this case does not match",
                            "Bind castFetchRequest(_:to:) of the value with if let."
                        )
                        continue
                    }
                    rewrite(item, replacing(item, in: section, label, binding, type, of: subject))
                }
            }
            return .visitChildren
        }

        /// The edits of a case that is a cast: a condition, and the binding as the first statement.
        private func replacing(
            _ item: SwitchCaseItemSyntax,
            in section: SwitchCaseSyntax,
            _ label: SwitchCaseLabelSyntax,
            _ binding: (word: String, name: String, type: String)?,
            _ type: String,
            of subject: String
        ) -> [TextEdit] {
            let call = "castFetchRequest(\(subject), to: \(type).self)"
            let pattern = item.pattern
            var edits = [
                TextEdit(
                    pattern.positionAfterSkippingLeadingTrivia
                        .utf8Offset..<pattern.endPositionBeforeTrailingTrivia
                        .utf8Offset,
                    "_ where \(call) != nil"  // words: allow
                )
            ]
            guard let binding, let first = section.statements.first else { return edits }
            let start = first.positionAfterSkippingLeadingTrivia.utf8Offset
            let colon = label.colon.endPositionBeforeTrailingTrivia.utf8Offset
            let statement = "\(binding.word) \(binding.name) = \(call)!"
            if file.beginsLine(start) {
                edits.append(TextEdit(at: start, "\(statement)\(file.newline)\(file.indentation(start))"))
            } else {
                let space = file.indentation(label.positionAfterSkippingLeadingTrivia.utf8Offset) + "    "
                let lead = file.newline + space
                edits.append(TextEdit(colon..<start, "\(lead)\(statement)\(lead)"))
            }
            return edits
        }
    }
}
