// The standard library's types that have a letter in mangled names (Swift's Mangling document, "standard
// substitutions"), and the names of those without one. Used by KnownModules, TypeResolver and SymbolMangler.

/// The mangler's table of standard library types.
enum StandardTypes {
    /// The module's name.
    static let module = "Swift"

    /// Letters by type name.
    static let letters: [String: String] = [
        "Array": "Sa", "Bool": "Sb", "Dictionary": "SD", "Double": "Sd", "Float": "Sf", "Set": "Sh",
        "DefaultIndices": "SI", "Int": "Si", "Character": "SJ", "ClosedRange": "SN", "Range": "Sn",
        "ObjectIdentifier": "SO", "UnsafePointer": "SP", "UnsafeMutablePointer": "Sp",
        "UnsafeBufferPointer": "SR", "UnsafeMutableBufferPointer": "Sr", "String": "SS", "Substring": "Ss",
        "UInt": "Su", "UnsafeRawPointer": "SV", "UnsafeMutableRawPointer": "Sv", "UnsafeRawBufferPointer": "SW",
        "UnsafeMutableRawBufferPointer": "Sw", "BinaryFloatingPoint": "SB", "Encodable": "SE", "Decodable": "Se",
        "FloatingPoint": "SF", "RandomNumberGenerator": "SG", "Hashable": "SH", "Numeric": "Sj",
        "BidirectionalCollection": "SK", "RandomAccessCollection": "Sk", "Comparable": "SL", "Collection": "Sl",
        "MutableCollection": "SM", "RangeReplaceableCollection": "Sm", "Equatable": "SQ", "Sequence": "ST",
        "IteratorProtocol": "St", "UnsignedInteger": "SU", "RangeExpression": "SX", "Strideable": "Sx",
        "RawRepresentable": "SY", "StringProtocol": "Sy", "SignedInteger": "SZ", "BinaryInteger": "Sz",
    ]

    private static let structures = [
        "Array", "Bool", "Dictionary", "Double", "Float", "Set", "DefaultIndices", "Int", "Character", "ClosedRange",
        "Range", "ObjectIdentifier", "UnsafePointer", "UnsafeMutablePointer", "UnsafeBufferPointer",
        "UnsafeMutableBufferPointer", "String", "Substring", "UInt", "UnsafeRawPointer", "UnsafeMutableRawPointer",
        "UnsafeRawBufferPointer", "UnsafeMutableRawBufferPointer", "Int8", "Int16", "Int32", "Int64", "Int128",
        "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "Float16", "Float80", "StaticString", "Duration",
        "ContiguousArray", "ArraySlice", "KeyValuePairs", "AnyHashable", "AnySequence", "AnyCollection",
        "CollectionOfOne", "EmptyCollection", "OpaquePointer",
    ]

    private static let protocols = [
        "BinaryFloatingPoint", "Encodable", "Decodable", "FloatingPoint", "RandomNumberGenerator", "Hashable",
        "Numeric", "BidirectionalCollection", "RandomAccessCollection", "Comparable", "Collection",
        "MutableCollection", "RangeReplaceableCollection", "Equatable", "Sequence", "IteratorProtocol",
        "UnsignedInteger", "RangeExpression", "Strideable", "RawRepresentable", "StringProtocol", "SignedInteger",
        "BinaryInteger", "Error", "Sendable", "CVarArg", "CustomStringConvertible", "CustomDebugStringConvertible",
        "Identifiable", "CodingKey", "LosslessStringConvertible", "CaseIterable", "AdditiveArithmetic",
    ]

    private static let aliases: [String: String] = [
        "Float32": "Float", "Float64": "Double", "AnyClass": "AnyObject.Type", "Void": "()",
        "Codable": "Encodable & Decodable", "StringLiteralType": "String", "IntegerLiteralType": "Int",
        "FloatLiteralType": "Double", "BooleanLiteralType": "Bool",
    ]

    /// The standard library's types and aliases as a table for name lookup.
    static let table: KnownTypes = {
        var table = KnownTypes()
        for name in structures { table.add(name, kind: .structure, module: module) }
        for name in protocols { table.add(name, kind: .protocol, module: module) }
        for name in ["Never", "Result"] { table.add(name, kind: .enumeration, module: module) }
        for name in ["AnyKeyPath", "PartialKeyPath", "KeyPath"] { table.add(name, kind: .class, module: module) }
        for (name, target) in aliases { table.addAlias(name, target: target) }
        let unicode = NominalType.Component(name: "Unicode", kind: .enumeration)
        let scalar = NominalType.Component(name: "Scalar", kind: .structure)
        table.types["Unicode"] = NominalType(module: module, components: [unicode])
        table.types["Unicode.Scalar"] = NominalType(module: module, components: [unicode, scalar])
        return table
    }()
}
