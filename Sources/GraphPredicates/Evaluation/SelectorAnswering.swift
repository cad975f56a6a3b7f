// Objects of which expressions may call methods by their selectors. Called by SelectorCall.

/// An object with methods that expressions may call by their selectors.
package protocol SelectorAnswering {
    /// Calls a method.
    ///
    /// - Parameters:
    ///   - selector: The method's Objective-C name.
    ///   - arguments: Its arguments.
    /// - Returns: The result; nil if there is no such method.
    /// - Throws: The error of the method.
    func answer(_ selector: String, _ arguments: [Any?]) throws -> SelectorAnswer?
}
