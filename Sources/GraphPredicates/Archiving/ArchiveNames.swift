// Maps the class names in Apple's keyed archives of predicates to the classes that read them, and writes those names.
// Foundation's class mapping for writing does nothing outside Apple's platforms, so this module's classes have Apple's
// names, and the module prefix is removed from the finished archive.

import Foundation
import GraphArchives

/// Names of archived classes.
///
/// Reading needs no call: the names are registered with `NSKeyedUnarchiver` before `main`.
public enum PredicateArchive {
    /// Returns an archive that `NSKeyedArchiver` wrote with the classes of predicates renamed to Apple's names.
    ///
    /// A predicate, expression or sort descriptor that is archived by itself needs no call. If one is part of another
    /// object's archive, pass the whole archive to make it readable on Apple's systems; this package reads both forms.
    ///
    /// - Parameter archive: A keyed archive, binary or XML.
    /// - Returns: The archive, binary.
    /// - Throws: `CocoaError.propertyListReadCorrupt` if the data is not a keyed archive.
    public static func withAppleNames(_ archive: Data) throws -> Data {
        let list = try PropertyListSerialization.propertyList(from: archive, options: [], format: nil)
        guard var list = list as? [String: Any], var objects = list["$objects"] as? [Any] else {
            throw CocoaError(.propertyListReadCorrupt)
        }
        for (index, object) in objects.enumerated() {
            guard var entry = object as? [String: Any], let name = entry["$classname"] as? String else { continue }
            let chain = entry["$classes"] as? [String]
            entry["$classname"] = appleName(name) ?? name
            // Drop the classes between NSTruePredicate and NSPredicate that do not exist on Apple's systems.
            entry["$classes"] = chain?.compactMap { prefix(of: $0) == nil ? $0 : appleName($0) }
            objects[index] = entry
        }
        list["$objects"] = objects
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }

    /// `GraphPredicates.` and `GraphArchives.`, or the prefixes of the names under which the modules are built.
    ///
    /// Each program needs them when it starts, and the first `String(reflecting:)` takes 0.7 ms for its casts.
    private static let modulePrefixes = [
        prefix(of: NSExpression.self, "NSExpression"),
        prefix(of: NSDecimalNumberPlaceholder.self, "NSDecimalNumberPlaceholder"),
    ]

    private static func prefix(of type: Any.Type, _ name: String) -> String {
        String(_typeName(type, qualified: true).dropLast(name.count))
    }

    /// Whether an archive names a class of these modules.
    package static func needsAppleNames(_ archive: Data) -> Bool {
        modulePrefixes.contains { archive.firstRange(of: Data($0.utf8)) != nil }
    }

    private static func prefix(of name: String) -> String? { modulePrefixes.first(where: name.hasPrefix) }

    private static func appleName(_ name: String) -> String? {
        guard let prefix = prefix(of: name) else { return nil }
        let bare = String(name.dropFirst(prefix.count))
        return bare.hasPrefix("NS") ? bare : nil
    }

    /// Registers the class that reads each name with `NSKeyedUnarchiver`.
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
                for prefix in modulePrefixes { NSKeyedUnarchiver.setClass(reader, forClassName: prefix + name) }
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
