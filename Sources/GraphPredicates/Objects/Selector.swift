// The name of a method, for Apple's API that takes a selector. Other platforms have no runtime to call it; sort
// descriptors and comparisons support some methods by name.

/// The name of a method, such as `"localizedStandardCompare:"`.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, with a colon for each argument.
    public let name: String

    /// Names a method.
    public init(_ name: String) { self.name = name }

    /// Names a method.
    public init(stringLiteral name: String) { self.name = name }

    /// The name.
    public var description: String { name }
}

/// The selector of that name.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

/// The name of a selector.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }
