// Sources whose declarations are all compiled and mangled. Plain classes with bodies replace managed ones, as the
// compiler mangles both the same way.

enum ManglingSamples {
    static let table = """
        import Foundation

        public class Location: NSObject {}
        public struct Outer {
            public enum Kind: Int { case one, two }
            public class Inner: NSObject {
                var x: Int16 { get { 0 } set {} }
                var kind: Kind { get { .one } set {} }
                var kinds: [Kind: Set<Location>] { get { [:] } set {} }
                func addToTasks(_ value: Task) {}
                struct Deep { class Deepest { var inner: Inner? { get { nil } set {} }; var deep: Deep? { get { nil } set {} } } }
            }
            public struct Box<T> {}
        }
        typealias Priority = Int16
        typealias Handle = Outer.Inner
        extension Date { public enum Style: Int { case short } }
        @objc_ish
        public class Task: NSObject {
            public typealias Rank = Int32
            public enum Status: String { case open }
            public var text: String? { get { nil } set {} }
            var count: Int32 { get { 0 } set {} }
            private var primitiveDueDate: Date? { get { nil } set {} }
            fileprivate var fp: Date? { get { nil } set {} }
            final var fin: UUID! { get { nil } set {} }
            open var locs: Set<Location> { get { [] } set {} }
            public private(set) var half: Int { get { 0 } set {} }
            var status: Status { get { .open } set {} }
            var rank: Rank { get { 0 } set {} }
            var priority: Priority { get { 0 } set {} }
            var handle: Handle? { get { nil } set {} }
            var box: Outer.Box<Int> { get { .init() } set {} }
            var boxes: [Outer.Box<Task>]? { get { nil } set {} }
            var style: Date.Style { get { .short } set {} }
            var module: Tasks.Location? { get { nil } set {} }
            var a: Bool { get { false } set {} }
            var b: Double { get { 0 } set {} }
            var c: Float { get { 0 } set {} }
            var d: Int64 { get { 0 } set {} }
            var e: NSNumber? { get { nil } set {} }
            var f: NSDecimalNumber? { get { nil } set {} }
            var g: Data? { get { nil } set {} }
            var h: URL? { get { nil } set {} }
            var i: NSSet? { get { nil } set {} }
            var j: NSOrderedSet? { get { nil } set {} }
            var k: NSObject? { get { nil } set {} }
            var l: [String]? { get { nil } set {} }
            var m: [String: Any]? { get { nil } set {} }
            var n: [Int: Int] { get { [:] } set {} }
            var o: Any? { get { nil } set {} }
            var p: AnyObject? { get { nil } set {} }
            var q: NSCoding? { get { nil } set {} }
            var r: (any NSCoding & NSCopying)? { get { nil } set {} }
            var s: NSObject & NSCoding { get { fatalError() } set {} }
            var t: TimeInterval { get { 0 } set {} }
            var u: Set<Task>? { get { nil } set {} }
            var v: [[Task]] { get { [] } set {} }
            var w: Optional<Task> { get { nil } set {} }
            var x: Foundation.Date { get { Date() } set {} }
            var y: Swift.Int { get { 0 } set {} }
            var z: Array<Location>? { get { nil } set {} }
            var aa: Decimal { get { 0 } set {} }
            var ab: AnyObject.Type { get { Task.self } set {} }
            var ac: Task.Type { get { Task.self } set {} }
            var ad: (Int, name: String) { get { (0, "") } set {} }
            var ae: Codable? { get { nil } set {} }
            var af: NSRange { get { NSRange() } set {} }
            var ag: [UUID: [Date: Set<UUID>]] { get { [:] } set {} }
            var ah: CGFloat { get { 0 } set {} }
            var ai: Date?? { get { nil } set {} }
            public func addToTasks(_ value: Task) {}
            public func addToTasks(_ values: NSSet) {}
            public func insertIntoTasks(_ value: Task, at idx: Int) {}
            public func insertIntoTasks(_ values: [Task], at indexes: NSIndexSet) {}
            public func removeFromTasks(at idx: Int) {}
            public func removeFromTasks(at indexes: NSIndexSet) {}
            public func replaceTasks(at idx: Int, with value: Task) {}
            public func replaceTasks(at indexes: NSIndexSet, with values: [Task]) {}
            func addLocationsObject(_ value: Location) {}
            func addLocations(_ values: Set<Location>) {}
            func primitiveText() -> String? { nil }
            func setPrimitiveText(_ value: String?) {}
            func insertObject(_ value: Task, inTasksAtIndex idx: Int) {}
            func many(_ a: Task, _ b: Task, c: Location, d: Location?, e: Location?) -> [Task?]? { nil }
            func same(_ a: NSCoding?, _ b: NSCoding?, _ c: NSCopying) {}
            func same2(_ a: NSCoding, _ b: NSCoding, _ c: AnyObject?, _ d: AnyObject?, _ e: Any?, _ f: Any?) {}
            func same3(_ a: NSCoding & NSCopying, _ b: NSCoding & NSCopying) {}
            func same4(_ a: Task.Type, _ b: Task.Type, _ c: (Int, Task), _ d: (Int, Task)) {}
            func same5(_ a: NSObject & NSCopying, _ b: NSObject & NSCopying) {}
            func numbers(_ a: Int, _ b: Int, _ c: Int16, _ d: Int16, e: Int) -> Int { 0 }
            func tuple(_ a: (Int, Int)) {}
            private func addToPriv(_ t: Task) {}
            func throwing(_ t: Date?) throws {}
        }
        extension Task {
            public var etext: String? { get { nil } set {} }
            private var eprimitive: String? { get { nil } set {} }
            public func addToETasks(_ value: Task) {}
        }
        private extension Task {
            var hidden: Int { get { 0 } set {} }
        }
        extension Outer.Inner {
            var outside: Outer.Kind? { get { nil } set {} }
        }
        extension NSNumber {
            var ours: Location? { get { nil } set {} }
            private var hiddenOurs: NSNumber? { get { nil } set {} }
            func also(_ other: NSNumber, at place: Outer.Kind) {}
        }
        extension Notification { public final class Tag: NSObject { var tag: Tag? { get { nil } set {} } } }
        private class Secret: NSObject {
            var name: String? { get { nil } set {} }
            private var other: Secret? { get { nil } set {} }
            enum Sort { case a }
            var sort: Sort { get { .a } set {} }
        }
        """
        .replacingOccurrences(of: "@objc_ish\n", with: "")

    static let oddNames = """
        import Foundation

        public class Odd: NSObject {
            var Odd: Int { get { 0 } set {} }
            var `class`: String? { get { nil } set {} }
            var größe: Double { get { 0 } set {} }
            var 名前: String? { get { nil } set {} }
            var _odd: Odds? { get { nil } set {} }
            var odd_Odd_odd: Odds? { get { nil } set {} }
            var a1Odd2: Int { get { 0 } set {} }
            var URLString: String? { get { nil } set {} }
            var stringURLString: URL? { get { nil } set {} }
            var aBCDe: Int { get { 0 } set {} }
            var thisIsAVeryLongNameWithManyWordsThatGoesOnAndOnUntilMoreThanTwentySixWordsHaveBeenSeenBecauseOnlySoManyHaveLettersAndThenSomeMoreManyWords: Words
            { get { Words() } set {} }
            func Odd(odd: Odd, Odd: Odd, at: Odds, at2: Odds) -> Odds { Odds() }
            func alphabet(
                _ a: A1, _ b: B1, _ c: C1, _ d: D1, _ e: E1, _ f: F1, _ g: G1, _ h: H1, _ i: I1, _ j: J1, _ k: K1,
                _ l: L1, _ m: M1, _ n: N1, again: A1, more: H1, most: N1, end: N1, ends: M1, x: [N1], y: [N1]
            ) {}
            private var Date: Foundation.Date? { get { nil } set {} }
        }
        public class Odds: NSObject { var odd: Odd? { get { nil } set {} } }
        struct Words {}
        class A1 {}; class B1 {}; class C1 {}; class D1 {}; class E1 {}; class F1 {}; class G1 {}; class H1 {}
        class I1 {}; class J1 {}; class K1 {}; class L1 {}; class M1 {}; class N1 {}
        """

    static var knownTypes: String {
        let optional = [
            "Date", "Data", "UUID", "URL", "Decimal", "DateComponents", "DateInterval", "Calendar", "Locale",
            "TimeZone", "IndexPath", "AttributedString", "URLComponents", "URLQueryItem", "CocoaError", "IndexSet",
            "CharacterSet", "Notification", "Measurement<UnitLength>", "PersonNameComponents", "CGFloat", "CGPoint",
            "CGSize", "CGRect", "AffineTransform", "NSEdgeInsets", "URLError", "NSObject", "NSNumber",
            "NSDecimalNumber", "NSString", "NSMutableString", "NSArray", "NSMutableArray", "NSDictionary",
            "NSMutableDictionary", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSCountedSet",
            "NSData", "NSMutableData", "NSDate", "NSURL", "NSUUID", "NSError", "NSNull", "NSValue", "NSIndexSet",
            "NSMutableIndexSet", "NSIndexPath", "NSAttributedString", "NSMutableAttributedString", "NSLocale",
            "NSTimeZone", "NSCalendar", "NSDateComponents", "NSDateInterval", "NSCharacterSet", "NSPredicate",
            "NSCompoundPredicate", "NSSortDescriptor", "NSRegularExpression", "NSMeasurement",
            "NSPersonNameComponents", "NSNotification", "NSURLComponents", "NSURLQueryItem", "Unit", "Dimension",
            "UnitLength", "UnitMass", "UnitDuration", "UnitTemperature", "UnitVolume", "UnitSpeed", "UnitEnergy",
            "UnitArea", "UnitAngle", "UnitPower", "UnitPressure", "UnitFrequency", "UnitConcentrationMass",
            "UnitInformationStorage", "Progress", "Bundle", "DateFormatter", "NumberFormatter", "Formatter",
            "OperationQueue", "Operation", "Thread", "NSLock", "RunLoop", "UserDefaults", "NSCoder",
            "NSKeyedArchiver", "NSKeyedUnarchiver", "NSTextCheckingResult", "PropertyListSerialization",
            "JSONSerialization", "Process", "Scanner", "Stream", "InputStream", "OutputStream", "Timer",
            "NSCache<NSString, NSString>", "ISO8601DateFormatter", "ByteCountFormatter", "NSCoding",
            "NSSecureCoding", "NSCopying", "NSMutableCopying", "NSObjectProtocol", "LocalizedError",
            "ComparisonResult", "TimeInterval", "NSSize", "NSPoint", "NSRect", "NSRange", "FileManager",
            "NotificationCenter", "JSONEncoder", "JSONDecoder", "URLRequest", "NSURLRequest", "SortDescriptor<Int>",
            "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float",
            "Float32", "Float64", "Double", "Bool", "String", "Substring", "Character", "Unicode.Scalar",
            "StaticString", "ObjectIdentifier", "Duration", "Range<Int>", "ClosedRange<Int>", "Array<Int>",
            "Set<Int>", "Dictionary<Int, Int>", "ContiguousArray<Int>", "ArraySlice<Int>", "KeyValuePairs<Int, Int>",
            "AnyHashable", "AnyKeyPath", "Never", "Result<Int, Error>", "UnsafePointer<Int>",
            "UnsafeMutablePointer<Int>", "UnsafeRawPointer", "UnsafeMutableRawPointer", "Codable", "Encodable",
            "Decodable", "Error", "Sendable", "CustomStringConvertible", "CVarArg", "CodingKey", "AnyClass",
            "OpaquePointer",
        ]
        let members = optional.enumerated().map { index, name in
            let isProtocol = protocols.contains(name)
            return "    var p\(index): \(isProtocol ? "(any \(name))" : name)? { get { nil } set {} }"
        }
        return """
            import Foundation
            #if canImport(FoundationNetworking)
            import FoundationNetworking
            #endif

            public class All: NSObject {
            \(members.joined(separator: "\n"))
            }
            """
    }

    private static let protocols: Set<String> = [
        "NSCoding", "NSSecureCoding", "NSCopying", "NSMutableCopying", "NSObjectProtocol", "LocalizedError", "Codable",
        "Encodable", "Decodable", "Error", "Sendable", "CustomStringConvertible", "CVarArg", "CodingKey",
    ]
}
