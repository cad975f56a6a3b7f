// Calls that need the Objective-C runtime and have no mechanical replacement: key-value observing, messages by
// selector, associated objects, locks of the runtime. They are reported.
import SwiftSyntax

enum RuntimeCallRule: PortingRule {
    static let name = "runtime"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for file in files { Reader(file, index).walk(file.tree) }
    }

    /// Functions by name, with the remedy.
    private static let functions: [String: String] = [
        "objc_sync_enter": "Use an NSLock.",
        "objc_sync_exit": "Use an NSLock.",
        "objc_getAssociatedObject": "Store the value in a property, or in a dictionary by object identifier.",
        "objc_setAssociatedObject": "Store the value in a property, or in a dictionary by object identifier.",
        "objc_removeAssociatedObjects": "Store the values in properties, or in a dictionary by object identifier.",
        "objc_allocateClassPair": "Declare the class.",
        "objc_registerClassPair": "Declare the class.",
        "objc_getClass": "Name the class, or keep classes in a dictionary by name.",
        "object_getClass": "Use type(of:).",
        "object_setClass": "Create an object of the class.",
        "class_getName": "Use String(reflecting:) of the class.",
        "class_getSuperclass": "Ask with is or as? whether it is a subclass.",
        "class_conformsToProtocol": "Ask with is or as? for the protocol.",
        "class_respondsToSelector": "Ask with as? for a protocol that has the method.",
        "class_copyMethodList": "List the methods.",
        "class_copyIvarList": "List the properties.",
        "class_copyPropertyList": "Ask the entity for its properties: entity.propertiesByName.",
        "class_getInstanceMethod": "Override the method in a subclass.",
        "class_getClassMethod": "Override the method in a subclass.",
        "class_getMethodImplementation": "Override the method in a subclass.",
        "class_addMethod": "Declare the method.",
        "class_replaceMethod": "Override the method in a subclass.",
        "method_exchangeImplementations": "Override the method in a subclass.",
        "method_getImplementation": "Override the method in a subclass.",
        "method_setImplementation": "Override the method in a subclass.",
        "imp_implementationWithBlock": "Declare the method.",
        "sel_registerName": "Call the method itself.",
        "NSSelectorFromString": "Call the method itself.",
        "NSStringFromSelector": "Write the name as a string.",
        "NSException": "Throw an error.",
        "NSMutableArrayValueForKey": "Use mutableOrderedSetValue(forKey:).",
    ]

    private final class Reader: RuleReader {
        private func report(_ node: some SyntaxProtocol, _ message: String, _ remedy: String) {
            guard !file.isLeftOut(node) else { return }
            file.report(RuntimeCallRule.name, at: node, message, remedy)
        }

        override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
            if let parent = node.inheritanceClause?.inheritedTypes.first, parent.type.trimmedDescription == "NSObject" {
                report(
                    parent.type,
                    "an actor that inherits from NSObject cannot be linked without the Objective-C runtime",
                    "Declare the actor twice, under #if canImport(ObjectiveC) with NSObject and else without it, and put "
                        + "the other members into an extension; delegates need not be NSObjects off Apple."
                )
            }
            return .visitChildren
        }

        override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
            guard node.bindings.first?.pattern.trimmedDescription == "isConcurrent", isOfOperation(node),
                node.modifiers.contains(where: { $0.name.text == "override" }), !file.isLeftOut(node)
            else { return .visitChildren }
            let range = file.attachedStart(of: Syntax(node))..<node.endPositionBeforeTrailingTrivia.utf8Offset
            file.report(
                RuntimeCallRule.name,
                at: node,
                "Operation has no isConcurrent off Apple: its queues ask for isAsynchronous",
                "The override is under #if canImport(ObjectiveC).",
                edits: file.wrap(range, in: "canImport(ObjectiveC)")
            )
            return .visitChildren
        }

        private func isOfOperation(_ node: some SyntaxProtocol) -> Bool {
            guard let type = node.enclosingType?.split(separator: ".").last else { return false }
            return index.lineage(String(type)).contains { $0.hasSuffix("Operation") }
        }

        override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
            if CodeIndex.signature(node) == "observeValue(forKeyPath:of:change:context:)" {
                report(
                    node.name,
                    "key-value observing needs the Objective-C runtime",
                    "Put it under #if canImport(ObjectiveC), and listen to NSManagedObjectContextObjectsDidChange "
                        + "elsewhere."
                )
            } else if let key = dependentKey(of: node) {
                report(
                    node.name,
                    "operation queues ask for the keys that \(key) depends on with the Objective-C runtime alone, and "
                        + "wait forever without it",
                    "Put it under #if canImport(ObjectiveC), and call didChangeValue(for: \\Operation.\(key)) elsewhere "
                        + "after the value has changed."
                )
            }
            return .visitChildren
        }

        /// The key of an operation whose dependencies a method gives, as `keyPathsForValuesAffectingIsFinished()`.
        private func dependentKey(of node: FunctionDeclSyntax) -> String? {
            let prefix = "keyPathsForValuesAffecting"
            let name = node.name.text
            guard name.hasPrefix(prefix), node.signature.parameterClause.parameters.isEmpty, isOfOperation(node) else {
                return nil
            }
            let key = name.dropFirst(prefix.count)
            return key.prefix(1).lowercased() + key.dropFirst()
        }

        override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
            let labels = node.arguments.map { $0.label?.text ?? "_" }
            if let callee = node.calledExpression.as(DeclReferenceExprSyntax.self) {
                let name = callee.baseName.text
                if name == "NSStringFromSelector", SelectorRule.property(of: node, index) != nil {
                    return .visitChildren
                }
                if name == "NSClassFromString", !namesModule(node) {
                    report(
                        node,
                        "NSClassFromString finds no class by its name alone off Apple, and returns nil",
                        "For managed object classes, give the target the plugin GenerateManagedObjects, whose function "
                            + "of this name finds them; for others, put the module's name and a dot before it."
                    )
                } else if let remedy = functions[name], !isDeclared(name + "(") {
                    report(node, "\(name) needs the Objective-C runtime", remedy)
                } else {
                    look(node, name, labels)
                }
            } else if let access = node.calledExpression.as(MemberAccessExprSyntax.self) {
                look(node, access.declName.baseName.text, labels)
            }
            return .visitChildren
        }

        override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
            // The property; a call is reported separately.
            if node.declName.baseName.text == "classForCoder", node.parent?.is(FunctionCallExprSyntax.self) != true {
                report(
                    node.declName,
                    "classForCoder needs the Objective-C runtime",
                    "Use type(of:), or name the class."
                )
            }
            return .visitChildren
        }

        private func look(_ node: FunctionCallExprSyntax, _ name: String, _ labels: [String]) {
            let first = node.arguments.first?.expression
            switch name {
            case "observe" where first?.is(KeyPathExprSyntax.self) == true && !isDeclared("observe(_:"),
                "addObserver" where labels.contains("forKeyPath"),
                "removeObserver" where labels.contains("forKeyPath"):
                report(
                    node,
                    "key-value observing needs the Objective-C runtime",
                    "Listen to NSManagedObjectContextObjectsDidChange, or use a fetched results controller."
                )
            case "perform"
            where first.map(isSelector) == true || (labels == ["_", "with"] && !isDeclared("perform(_:with:")),
                "performSelector":
                report(node, "a message by selector needs the Objective-C runtime", "Call the method itself.")
            case "responds" where labels == ["to"]:
                report(
                    node,
                    "whether an object responds to a selector is known by the Objective-C runtime",
                    "Ask with as? for a protocol that has the method."
                )
            case "isSubclass" where labels == ["of"] && !isDeclared("isSubclass(of:"):
                report(
                    node,
                    "isSubclass(of:) asks the Objective-C runtime",
                    "Ask with is for the metatype: type is Task.Type."
                )
            case "publisher" where first?.is(KeyPathExprSyntax.self) == true && !isDeclared("publisher(for:"):
                report(
                    node,
                    "a publisher of a property observes keys, which needs the Objective-C runtime",
                    "Use objectWillChange of the managed object, or a @Published property of the observed one."
                )
            case "className" where labels.isEmpty && !isDeclared("className("):
                report(
                    node,
                    "className() needs the Objective-C runtime",
                    "Write the name, or String(describing: Task.self); Task.entity().name is that of the entity."
                )
            case "classForCoder":
                report(
                    node,
                    "\(name) needs the Objective-C runtime",
                    "Name the class, as in Task.self, or use type(of:)."
                )
            default: break
            }
        }

        /// Whether the argument of a call is a text with a dot, as between a module and a class.
        private func namesModule(_ node: FunctionCallExprSyntax) -> Bool {
            let text = node.arguments.first?.expression.as(StringLiteralExprSyntax.self)
            return text?.segments.trimmedDescription.contains(".") == true
        }

        /// Whether the program has a method of its own whose signature begins like this, in any of its modules.
        private func isDeclared(_ start: String) -> Bool { index.allSignatures.contains { $0.hasPrefix(start) } }

        private func isSelector(_ expression: ExprSyntax) -> Bool {
            let source = expression.trimmedDescription
            return source.hasPrefix("#selector") || source.hasPrefix("Selector(")
        }
    }
}
