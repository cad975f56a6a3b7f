// Foundation's types on non-Apple platforms, with the module that actually declares each: FoundationEssentials declares
// half of them. Used by KnownModules. A test compiles every name of this table and compares the linker's symbol.

/// The mangler's table of Foundation types.
enum FoundationTypes {
    private static let essentialStructures = [
        "Date", "Data", "UUID", "URL", "Decimal", "DateComponents", "DateInterval", "Calendar", "Locale", "TimeZone",
        "IndexPath", "AttributedString", "URLComponents", "URLQueryItem", "CocoaError", "Predicate",
    ]

    private static let essentialClasses = ["FileManager", "NotificationCenter", "JSONEncoder", "JSONDecoder"]

    private static let structures = [
        "IndexSet", "CharacterSet", "Notification", "Measurement", "PersonNameComponents", "CGFloat", "CGPoint",
        "CGSize", "CGRect", "AffineTransform", "NSEdgeInsets", "URLError",
    ]

    private static let classes = [
        "NSObject", "NSNumber", "NSDecimalNumber", "NSString", "NSMutableString", "NSArray", "NSMutableArray",
        "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
        "NSCountedSet", "NSData", "NSMutableData", "NSDate", "NSURL", "NSUUID", "NSError", "NSNull", "NSValue",
        "NSIndexSet", "NSMutableIndexSet", "NSIndexPath", "NSAttributedString", "NSMutableAttributedString",
        "NSLocale", "NSTimeZone", "NSCalendar", "NSDateComponents", "NSDateInterval", "NSCharacterSet",
        "NSPredicate", "NSCompoundPredicate", "NSSortDescriptor", "NSRegularExpression", "NSMeasurement",
        "NSPersonNameComponents", "NSNotification", "NSURLComponents", "NSURLQueryItem", "Unit", "Dimension",
        "UnitLength", "UnitMass", "UnitDuration", "UnitTemperature", "UnitVolume", "UnitSpeed", "UnitEnergy",
        "UnitArea", "UnitAngle", "UnitPower", "UnitPressure", "UnitFrequency", "UnitConcentrationMass",
        "UnitInformationStorage", "Progress", "Bundle", "DateFormatter", "NumberFormatter", "Formatter",
        "OperationQueue", "Operation", "Thread", "NSLock", "RunLoop", "UserDefaults", "NSCoder", "NSKeyedArchiver",
        "NSKeyedUnarchiver", "NSTextCheckingResult", "PropertyListSerialization", "JSONSerialization", "Process",
        "Scanner", "Stream", "InputStream", "OutputStream", "Timer", "NSCache", "ISO8601DateFormatter",
        "ByteCountFormatter",
    ]

    private static let protocols = ["NSCoding", "NSSecureCoding", "NSCopying", "NSMutableCopying", "NSObjectProtocol"]

    private static let aliases: [String: String] = [
        "TimeInterval": "Double", "NSSize": "CGSize", "NSPoint": "CGPoint", "NSRect": "CGRect", "NSRange": "_NSRange",
    ]

    /// Foundation's types and aliases as a table for name lookup.
    static let table: KnownTypes = {
        let essentials = "FoundationEssentials"
        let foundation = "Foundation"
        var table = KnownTypes()
        for name in essentialStructures { table.add(name, kind: .structure, module: essentials) }
        for name in essentialClasses { table.add(name, kind: .class, module: essentials) }
        table.add("ComparisonResult", kind: .enumeration, module: essentials)
        table.add("LocalizedError", kind: .protocol, module: essentials)
        for name in structures { table.add(name, kind: .structure, module: foundation) }
        table.add("_NSRange", kind: .structure, module: foundation)
        for name in classes { table.add(name, kind: .class, module: foundation) }
        for name in protocols { table.add(name, kind: .protocol, module: foundation) }
        table.add("URLRequest", kind: .structure, module: "FoundationNetworking")
        table.add("NSURLRequest", kind: .class, module: "FoundationNetworking")
        table.add("SortDescriptor", kind: .structure, module: "FoundationInternationalization")
        for (name, target) in aliases { table.addAlias(name, target: target) }
        return table
    }()
}
