// The settings of glibc's allocator for a server that runs for long. Its functions are not declared for Swift, and other C
// libraries do not have them, so they are looked up by name.
import Foundation

/// The allocator of the C library.
enum SystemAllocator {
    /// Limits the areas that threads allocate from to one for each processor.
    ///
    /// There are eight for each by default, and free memory of one is not used by the threads of another.
    static func limitAreas() {
        let areaLimit: Int32 = -8
        guard let symbol = symbol("mallopt") else { return }
        let set = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
        _ = set(areaLimit, Int32(max(2, ProcessInfo.processInfo.activeProcessorCount)))
    }

    /// Gives free memory between used parts back to the system.
    static func trim() {
        guard let symbol = symbol("malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
        #if os(Linux)
            dlsym(nil, name)
        #else
            nil
        #endif
    }
}
