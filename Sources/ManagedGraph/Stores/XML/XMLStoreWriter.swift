// The text of an XML store, in Apple's form and order. Called by XMLStore.
import Foundation
import GraphArchives

/// Writes XML stores.
enum XMLStoreWriter {
    private static let version = 134_481_920

    /// Returns the file content of a store.
    static func data(of store: XMLStore) throws -> Data {
        var objects = ""
        var attributes = PerEntity { $0.attributesInFileOrder.reversed() }
        var relationships = PerEntity { $0.relationshipsInFileOrder }
        for (_, node) in store.orderedNodes {
            let layout = node.objectID.layout
            objects +=
                "    <object type=\(XMLText.quoted(layout.name.uppercased())) "
                + "id=\(XMLText.quoted(name(node, store)))>\n"
            for slot in attributes[layout] {
                guard let value = store.value(of: slot, in: node), !(value is NSNull),
                    let xml = try slot.xmlText(of: value, entity: layout.name)
                else {
                    continue
                }
                objects +=
                    "        <attribute name=\(XMLText.quoted(slot.name.lowercased())) type=\"\(slot.xmlType)\">\(xml)"
                    + "</attribute>\n"
            }
            for slot in relationships[layout] {
                let members = store.destinations(of: node, slot).map { name($0, store) }
                objects += relationship(
                    slot.name.lowercased(),
                    slot.xmlBounds,
                    slot.destination.map { layout.model.layouts[$0].name.uppercased() } ?? "",
                    members
                )
            }
            objects += "    </object>\n"
        }
        return try document(store.identifier, store.lastReference, store.metadata ?? [:], objects)
    }

    /// Returns the file content of a parsed file.
    static func data(_ file: XMLStoreFile) throws -> Data {
        var objects = ""
        for object in file.objects {
            objects += "    <object type=\(XMLText.quoted(object.type)) id=\(XMLText.quoted(object.identifier))>\n"
            for attribute in object.attributes {
                guard let xml = XMLPropertyListWriter.escaped(attribute.text) else {
                    throw DamagedStoreFile("\(attribute.name) of \(object.identifier) has a character that XML forbids")
                }
                objects +=
                    "        <attribute name=\(XMLText.quoted(attribute.name)) "
                    + "type=\(XMLText.quoted(attribute.type))>\(xml)</attribute>\n"
            }
            for entry in object.relationships {
                objects += relationship(entry.name, entry.bounds, entry.destination, entry.references)
            }
            objects += "    </object>\n"
        }
        return try document(file.uuid, file.lastNumber, file.metadata, objects)
    }

    /// An object's id: its number, or the id that the file had when it was read.
    private static func name(_ node: NSAtomicStoreCacheNode, _ store: XMLStore) -> String {
        store.referenceObject(for: node.objectID) as? String ?? "z\(store.number(of: node))"
    }

    private static func relationship(_ name: String, _ bounds: String, _ destination: String, _ members: [String])
        -> String
    {
        let references = members.isEmpty ? "" : " idrefs=\(XMLText.quoted(members.joined(separator: " ")))"
        return "        <relationship name=\(XMLText.quoted(name)) type=\(XMLText.quoted(bounds)) "
            + "destination=\(XMLText.quoted(destination))\(references)></relationship>\n"
    }

    private static func document(
        _ uuid: String?,
        _ lastNumber: Int64,
        _ metadata: [String: Any],
        _ objects: String
    ) throws -> Data {
        let values = metadata.filter { $0.key != NSStoreTypeKey && $0.key != NSStoreUUIDKey }
        guard let list = XMLPropertyListWriter.elements(values, "                "),
            let identifier = XMLPropertyListWriter.escaped(uuid ?? "")
        else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The store's metadata contain a value that a property list in XML cannot contain.",
                remedy: "Use strings without control characters, numbers, dates, data, arrays and dictionaries."
            )
        }
        return Data(
            """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>\(version)</version>
                    <UUID>\(identifier)</UUID>
                    <nextObjectID>\(lastNumber)</nextObjectID>
                    <metadata>
                        <plist version="1.0">
            \(list)            </plist>
                    </metadata>
                </databaseInfo>
            \(objects)</database>

            """.utf8
        )
    }
}
