// Apple's initializers that take Swift's predicates, expressions and sort descriptors. Called by apps. A predicate
// without a tree can be evaluated in memory; a fetch with it throws the reason.

import Foundation

extension PredicateMaking where Self: NSPredicate {
    /// Makes a predicate from Swift's `#Predicate`.
    ///
    /// Never nil: a predicate with a form that the language lacks can be evaluated in memory, and a fetch with it
    /// throws an error with the form and the alternative. `init(validating:)` throws it immediately.
    ///
    /// - Parameter predicate: The predicate, for a class that names its key paths, as managed object classes do.
    /// - SeeAlso: [NSPredicate.init(_:)](https://developer.apple.com/documentation/foundation/nspredicate/init(_:))
    public init?<Input>(_ predicate: Predicate<Input>) where Input: NSObject {
        do {
            try self.init(validating: predicate)
        } catch {
            let refusal = error as? UnconvertiblePredicate
            let block = PredicateBlock(refusal: refusal) { object, _ in
                guard let object = object as? Input else { return false }
                return (try? predicate.evaluate(object)) ?? false
            }
            guard let instance = NSPredicate.make(.block(block)) as? Self else { return nil }
            self = instance
        }
    }

    /// Makes a predicate from Swift's `#Predicate`, or throws if the language lacks one of its forms.
    ///
    /// - Parameter predicate: The predicate, for a class that names its key paths, as managed object classes do.
    /// - Throws: `UnconvertiblePredicate`.
    public init<Input>(validating predicate: Predicate<Input>) throws where Input: NSObject {
        let converted = NSPredicate.make(try PredicateConversion.convert(predicate))
        guard let converted = converted as? Self else {
            throw UnconvertiblePredicate(form: "A \(Self.self)", alternative: "Make an NSPredicate of it.")
        }
        self = converted
    }
}

extension NSExpression {
    /// Makes an expression from Swift's `#Expression`; nil if the language lacks its form.
    ///
    /// - Parameter expression: The expression, for a class that names its key paths.
    /// - SeeAlso: [NSExpression.init(_:)](https://developer.apple.com/documentation/foundation/nsexpression/init(_:))
    public convenience init?<Input, Output>(_ expression: Expression<Input, Output>) where Input: NSObject {
        guard let node = try? PredicateConversion.convert(expression) else { return nil }
        self.init(node: node)
    }
}

extension SortDescriptorMaking where Self: NSSortDescriptor {
    /// Makes a sort descriptor from Swift's `SortDescriptor`.
    ///
    /// A descriptor whose key path has no name sorts in memory; a fetch with it throws an error with the key path.
    ///
    /// - Parameter sortDescriptor: The order, by a key path of a class that names its key paths.
    /// - SeeAlso: [NSSortDescriptor.init(_:)](https://developer.apple.com/documentation/foundation/nssortdescriptor/init(_:))
    public init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
        let ascending = sortDescriptor.order == .forward
        guard let keyPath = sortDescriptor.keyPath, let name = ManagedKeyPaths.name(of: keyPath) else {
            self = Self.cast(
                KeySortDescriptor(
                    key: nil,
                    ascending: true,
                    rule: .whole { a, b in
                        guard let a = a as? Compared, let b = b as? Compared else { return .orderedSame }
                        return sortDescriptor.compare(a, b)
                    },
                    keyPath: sortDescriptor.keyPath
                )
            )
            return
        }
        // Outside Apple's platforms the only comparator for texts is `lexical`, which is the plain order.
        self = Self.cast(KeySortDescriptor(key: name, ascending: ascending, keyPath: keyPath))
    }
}
