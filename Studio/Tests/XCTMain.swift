// The main function of this package's test program. Without this file SwiftPM looks for XCTest's tests by means of the index
// store, which makes everything compile a quarter slower; all tests here are Swift Testing's.
import Testing

@main
struct TestEntryPoint {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
