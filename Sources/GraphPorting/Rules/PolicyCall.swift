// A method of a migration policy that a mapping model calls. Made by PolicyMethodRule, which writes the calls.
import SwiftSyntax

/// A method and the selector that expressions call it by.
struct PolicyCall {
    let selector: String
    let member: CodeIndex.Member
    private let function: FunctionDeclSyntax

    /// The call of a method by a selector; nil if the selector refers to another method.
    init?(_ selector: String, _ member: CodeIndex.Member) {
        guard let function = member.node.as(FunctionDeclSyntax.self), !member.group.file.isLeftOut(function),
            Self.isCalled(function, by: selector)
        else { return nil }
        self.selector = selector
        self.member = member
        self.function = function
    }

    private var parameters: [FunctionParameterSyntax] { Array(function.signature.parameterClause.parameters) }

    /// Whether the method cannot be called from another file.
    var isPrivate: Bool {
        function.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
    }

    /// The lines of the `switch` statement for this selector; nil if they cannot be written without knowing more types.
    func lines() -> [String]? {
        guard function.genericParameterClause == nil, function.signature.effectSpecifiers?.asyncSpecifier == nil,
            !function.modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
        else { return nil }
        var conditions: [String] = []
        var arguments: [String] = []
        for (place, parameter) in parameters.enumerated() {
            let type = parameter.type
            guard parameter.ellipsis == nil, !type.is(AttributedTypeSyntax.self), !type.is(FunctionTypeSyntax.self)
            else {
                return nil
            }
            let label = parameter.firstName.text == "_" ? "" : parameter.firstName.text + ": "
            let value = Self.converted("arguments[\(place)]", to: type)
            if type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
                arguments.append(label + value)
            } else {
                conditions.append("let value\(place) = \(value)")
                arguments.append("\(label)value\(place)")
            }
        }
        let effect = function.signature.effectSpecifiers?.throwsClause == nil ? "" : "try "
        let call = "\(effect)\(function.name.trimmedDescription)(\(arguments.joined(separator: ", ")))"
        var lines = ["case \"\(selector)\":"]
        if !parameters.isEmpty {
            let all = ["arguments.count == \(parameters.count)"] + conditions
            lines.append("    guard \(all.joined(separator: ", ")) else { break }")
        }
        let result = function.signature.returnClause?.type.trimmedDescription ?? "Void"
        return lines + (["Void", "()"].contains(result) ? ["    \(call)", "    return nil"] : ["    return \(call)"])
    }

    /// The properties of `NSNumber` for types that do not convert to each other.
    private static let numbers = [
        "Int": "intValue", "Int8": "int8Value", "Int16": "int16Value", "Int32": "int32Value", "Int64": "int64Value",
        "UInt": "uintValue", "UInt8": "uint8Value", "UInt16": "uint16Value", "UInt32": "uint32Value",
        "UInt64": "uint64Value", "Float": "floatValue", "Double": "doubleValue", "Bool": "boolValue",
    ]

    /// An optional expression that converts an argument to the type of a parameter.
    private static func converted(_ argument: String, to type: TypeSyntax) -> String {
        let plain =
            type.as(OptionalTypeSyntax.self)?.wrappedType ?? type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?
            .wrappedType ?? type
        let name = plain.trimmedDescription
        if let number = numbers[name] { return "(\(argument) as? NSNumber)?.\(number)" }
        switch name {
        case "Any": return argument
        case "AnyObject": return "\(argument).map { $0 as AnyObject }"
        default: return "\(argument) as? \(name)"
        }
    }

    /// Whether a selector refers to a method: `colorFor:in:` is `color(for:in:)` or `colorFor(_:in:)`.
    private static func isCalled(_ function: FunctionDeclSyntax, by selector: String) -> Bool {
        let parameters = function.signature.parameterClause.parameters
        guard parameters.count == selector.count(where: { $0 == ":" }),
            let base = selector.split(separator: ":").first.map(String.init)
        else { return false }
        if function.attributes.trimmedDescription.contains("@objc(\(selector))") { return true }
        var selectorBase = function.name.text
        if let label = parameters.first?.firstName.text, label != "_" {
            let word = label.prefix(1).uppercased() + label.dropFirst()
            // A label that starts with a preposition is appended as it is, any other with "With".
            if base == selectorBase + "With" + word { return true }
            selectorBase += word
        }
        return base == selectorBase
    }
}
