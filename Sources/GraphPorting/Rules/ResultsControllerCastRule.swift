// `controller as! NSFetchedResultsController<NSFetchRequestResult>`: on other platforms a results controller for one type
// cannot be cast to one for another. A cast to the type of delegates' parameters becomes a call of the framework's
// castFetchedResultsController(_:to:), which gives the same controller.
import SwiftSyntax

enum ResultsControllerCastRule: PortingRule {
    static let name = "results-controller-cast"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    private final class Reader: RuleReader {
        private static let message =
            "a results controller for one type is not a controller for another off Apple: this cast fails when it runs"
        private lazy var function = CastFunction(
            "castFetchedResultsController",
            [
                "/// On Apple's platforms a results controller can be cast to one for any type.",
                "private func castFetchedResultsController<Controller>(_ controller: Any?, to type: Controller.Type) -> "
                    + "Controller? {",
                "    controller as? Controller", "}",
            ],
            in: file
        )

        override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
            let elements = Array(node.elements)
            for (place, element) in elements.enumerated() {
                guard let cast = element.as(UnresolvedAsExprSyntax.self), place > 0, place + 1 < elements.count,
                    let mark = cast.questionOrExclamationMark, !file.isLeftOut(cast),
                    let type = elements[place + 1].as(TypeExprSyntax.self)?.type.trimmedDescription,
                    type.hasPrefix("NSFetchedResultsController<")
                else { continue }
                guard
                    type == "NSFetchedResultsController<NSFetchRequestResult>"
                        || type == "NSFetchedResultsController<any NSFetchRequestResult>"
                else {
                    // Whether the controller was made for this type cannot be seen here.
                    file.report(
                        name,
                        at: cast,
                        Self.message,
                        "Make the controller with a request of this type, and in a delegate use the property that holds it; "
                            + "castFetchedResultsController(_:to:) gives a controller that was made for the type."
                    )
                    continue
                }
                let start = elements[place - 1].positionAfterSkippingLeadingTrivia.utf8Offset
                let end = elements[place - 1].endPositionBeforeTrailingTrivia.utf8Offset
                let typeEnd = elements[place + 1].endPositionBeforeTrailingTrivia.utf8Offset
                let forced = mark.text == "!" ? "!" : ""
                rewrite(
                    cast,
                    [
                        TextEdit(at: start, "castFetchedResultsController("),
                        TextEdit(end..<typeEnd, ", to: \(type).self)\(forced)"),
                    ]
                )
            }
            return .visitChildren
        }

        /// Makes a cast a call of the framework's function, which on Apple's platforms is one of this file.
        private func rewrite(_ node: some SyntaxProtocol, _ edits: [TextEdit]) {
            file.report(
                name,
                at: node,
                Self.message,
                "castFetchedResultsController(_:to:) gives the same controller, and casts on Apple's platforms.",
                edits: function.adding(to: edits, in: file)
            )
        }
    }
}
