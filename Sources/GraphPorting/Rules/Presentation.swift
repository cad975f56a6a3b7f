// Determines whether leaving out code would lose only its display on Apple platforms: a call of the missing framework
// with plain values has no other effect, while a call of the program's own code, or a closure, may have any. Used by
// AppleOnlyRule and LeftOutNames.
import SwiftSyntax

/// Classifies statements and declarations.
struct Presentation {
    /// Whether a name, or a member of `self`, belongs to a missing framework or was left out with it.
    let isMissing: (String) -> Bool

    /// Types and functions of which a call only makes a value.
    private static let values: Set<String> = [
        "URL", "String", "NSString", "Date", "Data", "UUID", "Int", "Int16", "Int32", "Int64", "UInt", "Double",
        "Float",
        "Bool", "CGFloat", "CGRect", "CGPoint", "CGSize", "IndexPath", "IndexSet", "NSNumber", "NSRange", "Set",
        "Array",
        "Dictionary", "TimeInterval", "NSLocalizedString", "Selector", "NSAttributedString", "NSPredicate",
        "NSSortDescriptor", "DateComponents", "Locale", "Calendar", "TimeZone", "min", "max", "abs",
    ]

    /// Attributes of variables that do not store persistent values.
    private static let wrappers: Set<String> = [
        "State", "Binding", "ObservedObject", "StateObject", "EnvironmentObject", "Environment", "FetchRequest",
        "SectionedFetchRequest", "GestureState", "FocusState", "Namespace", "Published", "IBOutlet", "IBInspectable",
        "objc", "nonobjc", "available", "MainActor", "NSCopying", "discardableResult", "inlinable", "usableFromInline",
    ]

    // MARK: Declarations

    /// Whether a member only displays something.
    func isPure(_ node: Syntax) -> Bool {
        switch node.as(SyntaxEnum.self) {
        case .functionDecl(let node): node.body.map { isPure($0.statements) } ?? true
        case .initializerDecl(let node): node.body.map { isPure($0.statements) } ?? true
        case .subscriptDecl(let node): node.accessorBlock.map(isPure) ?? true
        case .variableDecl(let node):
            areOfViews(node.attributes)
                && node.bindings.allSatisfy { binding in
                    (binding.initializer.map { isPure($0.value) } ?? true)
                        && (binding.accessorBlock.map(isPure) ?? true)
                }
        case .typeAliasDecl: true
        default: false
        }
    }

    /// Whether the attributes do not affect storage: `@NSManaged` and unknown wrappers may store the value.
    private func areOfViews(_ attributes: AttributeListSyntax) -> Bool {
        attributes.allSatisfy { element in
            element.as(AttributeSyntax.self).map { Self.wrappers.contains($0.attributeName.trimmedDescription) }
                ?? false
        }
    }

    private func isPure(_ block: AccessorBlockSyntax) -> Bool {
        switch block.accessors {
        case .getter(let items): isPure(items)
        case .accessors(let accessors): accessors.allSatisfy { $0.body.map { isPure($0.statements) } ?? true }
        }
    }

    // MARK: Statements

    private func isPure(_ items: CodeBlockItemListSyntax) -> Bool { items.allSatisfy { isPure($0) } }

    /// Whether a statement only displays something.
    func isPureStatement(_ node: Syntax) -> Bool {
        guard let item = node.as(CodeBlockItemSyntax.self) else { return false }
        switch item.item {
        case .expr(let expression): return isPresenting(expression)
        case .stmt(let statement): return isPure(statement)
        case .decl(let declaration): return declaration.is(VariableDeclSyntax.self) && isPure(Syntax(declaration))
        }
    }

    private func isPure(_ item: CodeBlockItemSyntax) -> Bool {
        if isPureStatement(Syntax(item)) { return true }
        // The expression may be the value of the body.
        if case .expr(let expression) = item.item { return isPure(expression) }
        return false
    }

    private func isPure(_ statement: StmtSyntax) -> Bool {
        switch statement.as(StmtSyntaxEnum.self) {
        case .returnStmt(let node): node.expression.map(isPure) ?? true
        case .expressionStmt(let node): isPresenting(node.expression)
        case .guardStmt(let node): isPure(node.conditions) && isPure(node.body.statements)
        case .breakStmt, .continueStmt: true
        default: false
        }
    }

    private func isPure(_ conditions: ConditionElementListSyntax) -> Bool {
        conditions.allSatisfy { element in
            switch element.condition {
            case .expression(let expression): isPure(expression)
            case .optionalBinding(let binding): binding.initializer.map { isPure($0.value) } ?? true
            case .matchingPattern(let pattern): isPure(pattern.initializer.value)
            case .availability: true
            }
        }
    }

    /// Whether an expression statement only calls the missing framework, or sets its values.
    private func isPresenting(_ node: ExprSyntax) -> Bool {
        if let node = node.as(TryExprSyntax.self) { return isPresenting(node.expression) }
        if let node = node.as(AwaitExprSyntax.self) { return isPresenting(node.expression) }
        if let node = node.as(OptionalChainingExprSyntax.self) { return isPresenting(node.expression) }
        if let node = node.as(FunctionCallExprSyntax.self) { return isOfMissing(node) }
        if let node = node.as(IfExprSyntax.self) { return isPure(node) }
        if let node = node.as(SwitchExprSyntax.self) { return isPure(node) }
        guard let sequence = node.as(SequenceExprSyntax.self) else { return false }
        let elements = Array(sequence.elements)
        guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self) else { return false }
        let isTarget =
            elements[0].is(DiscardAssignmentExprSyntax.self) || isOfCloudKit(elements[0])
            || root(of: elements[0]).map(isMissing) ?? false
        return isTarget && elements.dropFirst(2).allSatisfy(isPure)
    }

    private func isPure(_ node: IfExprSyntax) -> Bool {
        guard isPure(node.conditions), isPure(node.body.statements) else { return false }
        switch node.elseBody {
        case .ifExpr(let nested)?: return isPure(nested)
        case .codeBlock(let block)?: return isPure(block.statements)
        case nil: return true
        }
    }

    private func isPure(_ node: SwitchExprSyntax) -> Bool {
        isPure(node.subject)
            && node.cases.allSatisfy { element in
                guard case .switchCase(let branch) = element else { return false }
                return isPure(branch.statements)
            }
    }

    // MARK: Values

    /// Whether reading an expression has no effect.
    private func isPure(_ node: ExprSyntax) -> Bool {
        switch node.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr, .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr,
            .binaryOperatorExpr, .typeExpr, .unresolvedAsExpr, .unresolvedIsExpr, .keyPathExpr, .superExpr,
            .simpleStringLiteralExpr, .macroExpansionExpr, .editorPlaceholderExpr:
            true
        case .stringLiteralExpr(let node):
            node.segments.allSatisfy { segment in
                if case .expressionSegment(let part) = segment {
                    part.expressions.allSatisfy { isPure($0.expression) }
                } else {
                    true
                }
            }
        case .memberAccessExpr(let node): node.base.map(isPure) ?? true
        case .optionalChainingExpr(let node): isPure(node.expression)
        case .forceUnwrapExpr(let node): isPure(node.expression)
        case .prefixOperatorExpr(let node): isPure(node.expression)
        case .postfixOperatorExpr(let node): isPure(node.expression)
        case .inOutExpr: false
        case .tupleExpr(let node): node.elements.allSatisfy { isPure($0.expression) }
        case .arrayExpr(let node): node.elements.allSatisfy { isPure($0.expression) }
        case .dictionaryExpr(let node):
            if case .elements(let items) = node.content {
                items.allSatisfy { isPure($0.key) && isPure($0.value) }
            } else {
                true
            }
        case .sequenceExpr(let node):
            node.elements.allSatisfy { !$0.is(AssignmentExprSyntax.self) && !isAssigning($0) && isPureOrTernary($0) }
        case .subscriptCallExpr(let node):
            isPure(node.calledExpression) && node.trailingClosure == nil
                && node.arguments.allSatisfy { isPure($0.expression) }
        case .functionCallExpr(let node): isOfMissing(node) || isValue(node)
        case .tryExpr(let node): isPure(node.expression)
        case .ifExpr(let node): isPure(node)
        case .switchExpr(let node): isPure(node)
        default: false
        }
    }

    private func isPureOrTernary(_ node: ExprSyntax) -> Bool {
        if let node = node.as(UnresolvedTernaryExprSyntax.self) { return isPure(node.thenExpression) }
        return isPure(node)
    }

    /// Whether an operator modifies its left operand.
    private func isAssigning(_ node: ExprSyntax) -> Bool {
        guard let symbol = node.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
        return symbol.hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(symbol)
    }

    private func isValue(_ call: FunctionCallExprSyntax) -> Bool {
        guard hasPlainArguments(call) else { return false }
        if let access = call.calledExpression.as(MemberAccessExprSyntax.self), access.base == nil { return true }
        guard let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
        return Self.values.contains(name)
    }

    /// Whether an expression ends with a member that CloudKit adds to Core Data's types.
    private func isOfCloudKit(_ node: ExprSyntax) -> Bool {
        if let chain = node.as(OptionalChainingExprSyntax.self) { return isOfCloudKit(chain.expression) }
        guard let access = node.as(MemberAccessExprSyntax.self), access.base.map(isPure) ?? true else { return false }
        return Mentions.cloudKitMembers.contains(access.declName.baseName.text)
    }

    /// Whether a call belongs to the missing framework and has arguments without side effects.
    private func isOfMissing(_ call: FunctionCallExprSyntax) -> Bool {
        if isOfCloudKit(call.calledExpression) { return hasPlainArguments(call) }
        guard let root = root(of: call.calledExpression), isMissing(root), hasPlainArguments(call) else { return false }
        return areCallsPlain(in: call.calledExpression)
    }

    private func hasPlainArguments(_ call: FunctionCallExprSyntax) -> Bool {
        call.trailingClosure == nil && call.additionalTrailingClosures.isEmpty
            && call.arguments.allSatisfy { isPure($0.expression) }
    }

    /// Whether the calls inside a chain of members have plain arguments too.
    private func areCallsPlain(in node: ExprSyntax) -> Bool {
        if let access = node.as(MemberAccessExprSyntax.self) { return access.base.map(areCallsPlain) ?? true }
        if let chain = node.as(OptionalChainingExprSyntax.self) { return areCallsPlain(in: chain.expression) }
        if let unwrap = node.as(ForceUnwrapExprSyntax.self) { return areCallsPlain(in: unwrap.expression) }
        if let call = node.as(FunctionCallExprSyntax.self) {
            return hasPlainArguments(call) && areCallsPlain(in: call.calledExpression)
        }
        return isPure(node)
    }

    /// The first name in a chain of members; for a chain on `self`, the member.
    private func root(of node: ExprSyntax) -> String? {
        if let name = node.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
        if let access = node.as(MemberAccessExprSyntax.self) {
            guard let base = access.base else { return nil }
            let baseName = base.trimmedDescription
            return ["self", "self?", "self!", "Self"].contains(baseName)
                ? access.declName.baseName.text : root(of: base)
        }
        if let node = node.as(OptionalChainingExprSyntax.self) { return root(of: node.expression) }
        if let node = node.as(ForceUnwrapExprSyntax.self) { return root(of: node.expression) }
        if let node = node.as(SubscriptCallExprSyntax.self) { return root(of: node.calledExpression) }
        if let node = node.as(FunctionCallExprSyntax.self) { return root(of: node.calledExpression) }
        if let node = node.as(GenericSpecializationExprSyntax.self) { return root(of: node.expression) }
        return nil
    }
}
