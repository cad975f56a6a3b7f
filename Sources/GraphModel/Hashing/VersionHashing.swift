// Version hashes of properties and entities, as Apple's frameworks compute them. Called by Model+VersionHashes and by
// the description classes. Must not read values that have no effect on a hash: defaults, classes, delete rules, user
// info and validation.
//
// The hashed bytes; integers are little-endian, strings UTF-8 without length or terminator, `?` is omitted when nil:
//
//     base of a property   name | u16 flags | modifier?            flags: 1 optional, 2 transient, 4 read-only
//     attribute            H(base) | i32 type | 01 if external storage | 01 if preserved on deletion
//     relationship         H(base) | destination | inverse? | i32 maxCount | i32 minCount | 01 00 if ordered
//     derived attribute    the printed form of the derivation expression
//     composite attribute  the elements' hashes, by element name
//     entity               name | u8 abstract | H(superentity)? | H(properties by name) | modifier? | uniqueness
import Foundation
import GraphArchives

/// The hash functions of model versions.
enum VersionHashing {
    /// The 32 bytes of a property's hash.
    static func hash(of property: Property) -> [UInt8] {
        switch property {
        case .attribute(let attribute): hash(of: attribute)
        case .relationship(let relationship): hash(of: relationship)
        case .fetched(let fetched): baseHash(of: fetched.common)
        }
    }

    /// A property's name and hash.
    typealias NamedHash = (name: String, hash: [UInt8])

    /// The hashes of the stored properties, which are those that the entity's hash covers.
    static func hashes(ofStored properties: [Property]) -> [NamedHash] {
        let stored = properties.filter { property in
            if case .fetched = property { return false }
            return !property.common.isTransient
        }
        ModelWork.current?.countProperties(stored.count)
        return stored.map { ($0.name, hash(of: $0)) }
    }

    /// The 32 bytes of an entity's hash.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - superentityHash: The hash of its superentity, if it has one.
    ///   - properties: The hashes of its stored properties, including inherited ones.
    /// - Returns: The hash.
    static func hash(of entity: Entity, superentityHash: [UInt8]?, properties: [NamedHash]) -> [UInt8] {
        var bytes = Array(entity.name.utf8)
        bytes.append(entity.isAbstract ? 1 : 0)
        bytes += superentityHash ?? []
        for property in properties.sorted(by: { precedes($0.name, $1.name) }) { bytes += property.hash }
        bytes += Array((entity.versionHashModifier ?? "").utf8)
        let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
        for constraint in constraints.sorted(by: precedes) {
            bytes += Array(constraint.utf8)
        }
        return SHA256.digest(bytes)
    }

    /// The case-sensitive order of names in hashes: by UTF-16 units, as in literal comparisons of `NSString`.
    static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf16.lexicographicallyPrecedes(second.utf16)
    }

    private static func hash(of attribute: Attribute) -> [UInt8] {
        if let format = attribute.derivationExpressionFormat {
            return SHA256.digest(Array(DerivationFormat.printed(format).utf8))
        }
        if attribute.type == .composite, !attribute.elements.isEmpty {
            let elements = attribute.elements.sorted { precedes($0.name, $1.name) }
            return SHA256.digest(elements.flatMap { hash(of: $0) })
        }
        var bytes = baseHash(of: attribute.common)
        bytes += littleEndian(Int32(attribute.type.rawValue))
        if attribute.allowsExternalBinaryDataStorage { bytes.append(1) }
        if attribute.preservesValueInHistoryOnDeletion { bytes.append(1) }
        return SHA256.digest(bytes)
    }

    private static func hash(of relationship: Relationship) -> [UInt8] {
        var bytes = baseHash(of: relationship.common)
        bytes += Array(relationship.destinationEntityName.utf8)
        bytes += Array((relationship.inverseName ?? "").utf8)
        bytes += littleEndian(Int32(clamping: relationship.maxCount))
        bytes += littleEndian(Int32(clamping: relationship.minCount))
        if relationship.isOrdered { bytes += [1, 0] }
        return SHA256.digest(bytes)
    }

    private static func baseHash(of common: PropertyCommon) -> [UInt8] {
        var flags: UInt8 = 0
        if common.isOptional { flags |= 1 }
        if common.isTransient { flags |= 2 }
        if common.isReadOnly { flags |= 4 }
        var bytes = Array(common.name.utf8)
        bytes += [flags, 0]
        bytes += Array((common.versionHashModifier ?? "").utf8)
        return SHA256.digest(bytes)
    }

    private static func littleEndian(_ value: Int32) -> [UInt8] {
        let bits = UInt32(bitPattern: value)
        return [UInt8(bits & 0xff), UInt8(bits >> 8 & 0xff), UInt8(bits >> 16 & 0xff), UInt8(bits >> 24)]
    }
}
