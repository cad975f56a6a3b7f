// The classes of Apple's keyed archives of predicates: which class here reads each name, and how names get into archives
// that are written here. Foundation's mapping for writing does nothing off Apple's systems, so classes bear Apple's names
// in this module and the module's name is taken out of the finished archive.

import Foundation

/// Names of archived classes.
///
/// Reading needs no call: the names are known to `NSKeyedUnarchiver` before `main`.
public enum PredicateArchive {
    /// An archive that `NSKeyedArchiver` wrote, with Apple's names for the classes of predicates.
    ///
    /// A predicate, expression or sort descriptor that is archived by itself needs no call. For one inside of another
    /// object's archive, call this with the whole archive if Apple's systems are to read it; here both can be read.
    ///
    /// - Parameter archive: a keyed archive, binary or XML.
    /// - Returns: the archive, binary.
    /// - Throws: `CocoaError.propertyListReadCorrupt` for what is not a keyed archive.
    public static func withAppleNames(_ archive: Data) throws -> Data {
        let list = try PropertyListSerialization.propertyList(from: archive, options: [], format: nil)
        guard var list = list as? [String: Any], var objects = list["$objects"] as? [Any] else {
            throw CocoaError(.propertyListReadCorrupt)
        }
        for (index, object) in objects.enumerated() {
            guard var entry = object as? [String: Any], let name = entry["$classname"] as? String else { continue }
            let chain = entry["$classes"] as? [String]
            entry["$classname"] = appleName(name) ?? name
            // Between NSTruePredicate and NSPredicate there are classes that Apple lacks.
            entry["$classes"] = chain?.compactMap { $0.hasPrefix(modulePrefix) ? appleName($0) : $0 }
            objects[index] = entry
        }
        list["$objects"] = objects
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }

    /// `GraphPredicates.`, whatever the module is called where it is built.
    private static let modulePrefix = String(reflecting: NSExpression.self).replacing("NSExpression", with: "")

    private static func appleName(_ name: String) -> String? {
        guard name.hasPrefix(modulePrefix) else { return nil }
        let bare = String(name.dropFirst(modulePrefix.count))
        return bare.hasPrefix("NS") ? bare : nil
    }

    /// Tells `NSKeyedUnarchiver` which class reads each name.
    static func register() {
        let classes: [(AnyClass, [String])] = [
            (NSComparisonPredicate.self, ["NSComparisonPredicate"]), (NSTruePredicate.self, ["NSTruePredicate"]),
            (NSFalsePredicate.self, ["NSFalsePredicate"]), (NSExpression.self, expressionNames),
            (NSFetchRequestExpression.self, ["NSFetchRequestExpression"]),
            (NSPredicateOperator.self, NSPredicateOperator.names),
            (NSDecimalNumberPlaceholder.self, ["NSDecimalNumberPlaceholder"]),
        ]
        for (reader, names): (AnyClass, [String]) in classes {
            for name in names {
                NSKeyedUnarchiver.setClass(reader, forClassName: name)
                NSKeyedUnarchiver.setClass(reader, forClassName: modulePrefix + name)
            }
        }
    }

    static let expressionNames = [
        "NSExpression", "NSConstantValueExpression", "NSSelfExpression", "NSVariableExpression", "NSKeyPathExpression",
        "NSKeyPathSpecifierExpression", "NSFunctionExpression", "NSAggregateExpression", "NSSubqueryExpression",
        "NSSetExpression", "NSTernaryExpression", "NSAnyKeyExpression", "NSSymbolicExpression",
        "NSVariableAssignmentExpression",
    ]
}

// Run by the loader, before main.
#if os(Windows)
    @section(".CRT$XCU")
#elseif canImport(Darwin)
    @section("__DATA,__mod_init_func")
#else
    @section(".init_array")
#endif
@used private nonisolated let registerArchivedClasses: @convention(c) () -> Void = { PredicateArchive.register() }
