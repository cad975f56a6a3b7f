// Objects that live as long as the process are not reference counted: contexts on several threads make objects of one
// entity, and would otherwise write the same word of memory for each of them. Called when a model is compiled.
import CSwiftRuntime

/// Objects that live as long as the process.
enum Immortal {
    /// Ends the counting of references to an object that is never freed.
    static func make(_ object: AnyObject) {
        #if !canImport(Darwin)
            _swift_stdlib_immortalize(Unmanaged.passUnretained(object).toOpaque())
        #endif
    }
}
