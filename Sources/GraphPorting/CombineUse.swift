// Determines how much of Combine a code base uses, and thereby the replacement on other platforms: none, our
// observation of notifications, or OpenCombine. Determined by Porter for all modules, used by ImportRule and
// ObservableObjectRule.
import SwiftSyntax

/// The replacement for Combine on other platforms.
enum CombineUse: Equatable {
    /// Only views observe, so no code needs notifications.
    case unobserved
    /// The code observes notifications only.
    case notifications
    /// The code needs OpenCombine, imported as the given module.
    case openCombine(String)

    /// Modules of OpenCombine.
    static let modules: Set<String> = [
        "OpenCombine", "OpenCombineShim", "OpenCombineFoundation", "OpenCombineDispatch",
    ]

    /// Types and functions that only Combine or OpenCombine has.
    private static let names: Set<String> = [
        "PassthroughSubject", "CurrentValueSubject", "AnyPublisher", "Publisher", "Publishers", "Subscriber",
        "Subscribers", "AnySubscriber", "Subject", "Just", "Future", "Deferred", "Empty", "Fail", "Record",
        "ObservableObjectPublisher", "Subscription", "Subscriptions", "ConnectablePublisher",
    ]

    /// Names that a file takes from Combine.
    static let all = names.union(["AnyCancellable", "Cancellable", "ObservableObject", "Published"])

    /// Names of Combine that hardly another module has.
    ///
    /// Foundation exports Combine on Apple's platforms, so a file that imports neither Combine nor SwiftUI may use them.
    static let unmistakable: Set<String> = [
        "ObservableObject", "Published", "AnyCancellable", "AnyPublisher", "PassthroughSubject", "CurrentValueSubject",
        "ObservableObjectPublisher",
    ]

    /// The module that replaces Combine; nil if none is needed.
    var module: String? {
        switch self {
        case .unobserved: nil
        case .notifications: "CombineShims"
        case .openCombine(let module): module
        }
    }

    /// Examines the files of a code base, except the parts that are left out.
    ///
    /// - Parameters:
    ///   - modules: The files by module, with their declarations.
    ///   - hasOpenCombine: Whether the package already depends on OpenCombine.
    /// - Returns: The smallest sufficient replacement.
    static func of(_ modules: [(files: [PortingFile], index: CodeIndex)], hasOpenCombine: Bool) -> CombineUse {
        let files = modules.flatMap(\.files)
        let imported = files.reduce(into: Set<String>()) { $0.formUnion(ImportRule.modules(of: $1)) }
        let present = imported.intersection(Self.modules)
        let module = present.contains("OpenCombineShim") ? "OpenCombineShim" : present.min() ?? "OpenCombineShim"
        if hasOpenCombine || !present.isEmpty { return .openCombine(module) }
        var published: Set<String> = []
        var hasObservableObjects = false
        for (files, index) in modules {
            for file in files { published.formUnion(PublishedNames.all(in: file)) }
            hasObservableObjects =
                hasObservableObjects
                || index.groups.contains { $0.inheritance.contains { $0.hasSuffix("ObservableObject") } }
        }
        var result = CombineUse.unobserved
        for (files, index) in modules {
            for file in files {
                let reader = Reader(file, index, published, hasObservableObjects)
                reader.walk(file.tree)
                if reader.needsOpenCombine { return .openCombine(module) }
                if reader.observesNotifications { result = .notifications }
            }
        }
        return result
    }

    private final class Reader: SyntaxVisitor {
        private let file: PortingFile
        private let index: CodeIndex
        private let published: Set<String>
        private let hasObservableObjects: Bool
        private let hasCombine: Bool
        private var types: [String] = []
        var needsOpenCombine = false
        var observesNotifications = false

        init(_ file: PortingFile, _ index: CodeIndex, _ published: Set<String>, _ hasObservableObjects: Bool) {
            self.file = file
            self.index = index
            self.published = published
            self.hasObservableObjects = hasObservableObjects
            hasCombine = AppleFrameworks.closure(ImportRule.modules(of: file)).contains("Combine")
            super.init(viewMode: .sourceAccurate)
        }

        private func look(_ name: String, _ node: some SyntaxProtocol) {
            guard hasCombine || CombineUse.unmistakable.contains(name), !file.isLeftOut(node),
                !index.hasType(named: name)
            else { return }
            if CombineUse.names.contains(name) { needsOpenCombine = true }
            if name == "AnyCancellable" || name == "Cancellable" { observesNotifications = true }
        }

        override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
            // `@Published` without a subscriber notifies no code.
            if let arguments = node.arguments { walk(arguments) }
            return .skipChildren
        }

        override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
            look(node.name.text, node)
            if node.name.text == "Published", node.genericArgumentClause != nil, !file.isLeftOut(node) {
                needsOpenCombine = true
            }
            return .visitChildren
        }

        override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
            if node.baseType.trimmedDescription == "NotificationCenter", node.name.text == "Publisher" {
                if !file.isLeftOut(node) { observesNotifications = true }
                return .skipChildren
            }
            return .visitChildren
        }

        override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
            guard !file.isLeftOut(node) else { return .skipChildren }
            let name = node.baseName.text
            let access = node.parent?.as(MemberAccessExprSyntax.self)
            if name.hasPrefix("$"), published.contains(String(name.dropFirst())) { needsOpenCombine = true }
            if access?.declName.id != node.id {
                look(name, node)
                if name == "objectWillChange" { lookAtChanges(Syntax(node)) }
                return .visitChildren
            }
            guard let access else { return .visitChildren }
            switch name {
            case "eraseToAnyPublisher", "dataTaskPublisher", "setFailureType": needsOpenCombine = true
            case "objectWillChange": lookAtChanges(Syntax(access))
            case "publish" where access.base?.trimmedDescription == "Timer": needsOpenCombine = true
            case "publisher":
                if let call = access.parent?.as(FunctionCallExprSyntax.self) { lookAtPublisher(call) }
            case "sink":
                if let base = access.base, !Self.hasKnownSource(base) { needsOpenCombine = true }
            default: break
            }
            return .visitChildren
        }

        /// Whether a chain of calls starts with a publisher that exists without OpenCombine.
        private static func hasKnownSource(_ node: ExprSyntax) -> Bool {
            let finder = SourceFinder(viewMode: .sourceAccurate)
            finder.walk(node)
            return finder.isFound
        }

        /// The framework implements `objectWillChange` of a managed object; Combine implements that of an observable
        /// object.
        private func lookAtChanges(_ node: Syntax) {
            guard hasObservableObjects, let next = node.parent?.as(MemberAccessExprSyntax.self),
                next.declName.baseName.text != "send", !types.contains(where: { index.isManaged($0) })
            else { return }
            needsOpenCombine = true
        }

        private func lookAtPublisher(_ call: FunctionCallExprSyntax) {
            guard call.arguments.first?.label?.text == "for",
                call.arguments.first?.expression.is(KeyPathExprSyntax.self) == false
            else { return }
            var node = ExprSyntax(call)
            while let access = node.parent?.as(MemberAccessExprSyntax.self), access.base?.id == node.id,
                let next = access.parent?.as(FunctionCallExprSyntax.self)
            {
                let labels = next.arguments.map { $0.label?.text ?? "" }
                switch access.declName.baseName.text {
                case "map", "compactMap", "filter": break
                case "receive" where labels == ["on"]: break
                case "sink" where !labels.contains("receiveCompletion"), "assign" where labels == ["to", "on"]:
                    observesNotifications = true
                    return
                default:
                    needsOpenCombine = true
                    return
                }
                node = ExprSyntax(next)
            }
            needsOpenCombine = true
        }

        override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
            types.append(node.name.text)
            return .visitChildren
        }
        override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }
        override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
            types.append(node.extendedType.trimmedDescription)
            return .visitChildren
        }
        override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }
    }

    /// Searches for `publisher(for:)` and `objectWillChange`.
    private final class SourceFinder: SyntaxVisitor {
        var isFound = false

        override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
            if ["publisher", "objectWillChange"].contains(node.baseName.text) { isFound = true }
            return .visitChildren
        }
    }
}
