// The result of a method that an expression has called. Created by SelectorAnswering objects, read by SelectorCall.

/// The return value of a method, which may be nil.
package struct SelectorAnswer {
    package var value: Any?

    package init(_ value: Any?) {
        self.value = value
    }
}
