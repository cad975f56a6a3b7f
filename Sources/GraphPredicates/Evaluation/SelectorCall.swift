// `FUNCTION(object, 'selectorName', arguments…)`: the methods of texts, numbers, dates and collections that are common
// in formats. Other messages need an Objective-C runtime; a method without arguments is read as a key.

import Foundation

extension EvaluatedValue {
    fileprivate var answerer: (any SelectorAnswering)? {
        switch self {
        case .readable(let object): object as? any SelectorAnswering
        case .other(let object): object as? any SelectorAnswering
        default: nil
        }
    }
}

enum SelectorCall {
    /// Calls a method and returns its value.
    ///
    /// - Throws: `EvaluationError.unknownFunction`.
    static func call(
        _ selector: String,
        on target: EvaluatedValue,
        _ arguments: [EvaluatedValue]
    ) throws -> EvaluatedValue {
        if target.isNull { return .null }
        if let object = target.answerer, let answer = try object.answer(selector, arguments.map(\.anyValue)) {
            return EvaluatedValue(answer.value)
        }
        if let text = target.text, let result = textMethod(selector, text, arguments) { return result }
        if let elements = target.elements, let result = collectionMethod(selector, elements, arguments) {
            return result
        }
        switch (selector, arguments.first) {
        case ("isEqual:", let other?), ("isEqualToString:", let other?), ("isEqualToNumber:", let other?),
            ("isEqualToDate:", let other?):
            return .boolean(target.isEqual(to: other))
        case ("compare:", let other?):
            return target.order(against: other).map { .integer(Int64($0.rawValue)) } ?? .null
        case ("dateByAddingTimeInterval:", let interval?):
            guard case .date(let date) = target, let seconds = interval.doubleValue else { break }
            return .date(date.addingTimeInterval(seconds))
        case ("timeIntervalSinceDate:", .date(let other)?):
            guard case .date(let date) = target else { break }
            return .real(date.timeIntervalSince(other))
        case ("valueForKey:", .text(let key)?): return try KeyReader.read(key, from: target)
        case ("valueForKeyPath:", .text(let path)?): return try KeyPathReader(path: path).read(from: target)
        default: break
        }
        if let function = FunctionName.named(selector, argumentCount: arguments.count + 1) {
            return try function.call([target] + arguments)
        }
        guard arguments.isEmpty, let value = try? KeyReader.read(selector, from: target) else {
            throw EvaluationError.unknownFunction(selector)
        }
        return value
    }

    private static func textMethod(
        _ selector: String,
        _ text: String,
        _ arguments: [EvaluatedValue]
    ) -> EvaluatedValue? {
        // Foundation stops the program if an index is within a character beyond U+FFFF.
        let units = text.utf16
        switch (selector, arguments.first, arguments.dropFirst().first) {
        case ("substringFromIndex:", let index?, _):
            guard let index = index.integerValue, (0...Int64(units.count)).contains(index) else { return .null }
            return .text(String(decoding: units.dropFirst(Int(index)), as: UTF16.self))
        case ("substringToIndex:", let index?, _):
            guard let index = index.integerValue, (0...Int64(units.count)).contains(index) else { return .null }
            return .text(String(decoding: units.prefix(Int(index)), as: UTF16.self))
        case ("stringByReplacingOccurrencesOfString:withString:", .text(let old)?, .text(let new)?):
            return .text(text.replacingOccurrences(of: old, with: new))
        case ("stringByAppendingString:", .text(let other)?, _): return .text(text + other)
        case ("componentsSeparatedByString:", .text(let separator)?, _):
            return EvaluatedValue(elements: text.components(separatedBy: separator).map(EvaluatedValue.text))
        case ("hasPrefix:", .text(let other)?, _): return .boolean(TextOrder.hasPrefix(text, other))
        case ("hasSuffix:", .text(let other)?, _): return .boolean(TextOrder.hasSuffix(text, other))
        case ("containsString:", .text(let other)?, _): return .boolean(TextOrder.contains(text, other))
        case ("caseInsensitiveCompare:", .text(let other)?, _):
            return .integer(Int64(TextSort.compare(text, other, .caseInsensitive).rawValue))
        default: return nil
        }
    }

    private static func collectionMethod(
        _ selector: String,
        _ elements: [EvaluatedValue],
        _ arguments: [EvaluatedValue]
    ) -> EvaluatedValue? {
        switch (selector, arguments.first) {
        case ("count", _): return .integer(Int64(elements.count))
        case ("firstObject", _): return elements.first ?? .null
        case ("lastObject", _): return elements.last ?? .null
        case ("containsObject:", let member?): return .boolean(elements.contains { $0.isEqual(to: member) })
        case ("objectAtIndex:", let index?):
            guard let place = index.integerValue.flatMap({ Int(exactly: $0) }), elements.indices.contains(place) else {
                return .null
            }
            return elements[place]
        case ("componentsJoinedByString:", .text(let separator)?):
            return .text(elements.compactMap(CastType.text).joined(separator: separator))
        default: return nil
        }
    }
}
