// Reads models that Xcode's editor keeps as keyed archives of its own objects (XDPMModel): the `elements` files of
// models from before Xcode 4, and the models inside mapping models. It converts them to the elements of a `contents`
// file, which ContentsReader interprets. The editor attaches its settings to each object as "stereotypes".
import Foundation
import GraphArchives
import GraphModel

/// Reads the archive of an editor's model.
struct EditorModelReader {
    /// The class of the archived object.
    static let className = "XDPMModel"

    private let archive: KeyedArchive

    /// The readable part of the model, or nil if the data are not such an archive.
    ///
    /// Problems are ignored: a mapping model needs only the hashes of its entities.
    static func read(_ data: Data) -> Model? {
        guard let archive = KeyedArchive(data), let root = archive.root, root.className == className else { return nil }
        var reader = ContentsReader()
        return reader.readModel(EditorModelReader(archive: archive).model(root))
    }

    /// The model of an `elements` file, with its findings.
    ///
    /// - Throws: `ModelFileError` for a damaged archive, and for a model that Apple's compiler refuses.
    static func read(_ archive: KeyedArchive, file: String) throws -> ModelReading {
        try ModelFile.examine(root(archive, file: file), file: file)
    }

    /// The elements of an equivalent `contents` file.
    ///
    /// - Throws: `ModelFileError` for a damaged archive.
    static func root(_ archive: KeyedArchive, file: String) throws(ModelFileError) -> ModelNode {
        guard let root = archive.root, root.className == className,
            let package = archive.object("_xd_rootPackage", of: root),
            archive.object("XDBucketForClassesstorage", of: package) != nil
        else {
            throw ModelFileError(
                file: file,
                reason:
                    "this model, as Xcode wrote it before version 4, is damaged: its archive has no entities. Restore "
                    + "it from version control or a backup."
            )
        }
        return EditorModelReader(archive: archive).model(root)
    }

    private func model(_ root: KeyedArchive.Object) -> ModelNode {
        let package = archive.object("_xd_rootPackage", of: root)
        let classes = package.flatMap { archive.object("XDBucketForClassesstorage", of: $0) }
        let entities = archive.pairs(classes).compactMap { archive.object($0.value) }
            .filter { $0.className == "XDPMEntity" }
            .sorted { name(of: $0) < name(of: $1) }
        var node = ModelNode(name: "model", attributes: [:])
        node["userDefinedModelVersionIdentifier"] = archive.text("_modelVersionIdentifier", of: root)
        node.children = entities.map(entity)
        for entity in entities {
            node.children += requests(archive.members(settings(of: entity).object("XD_PSK_fetchRequestsArray")))
        }
        node.children += configurations(archive.object("_configurationsByName", of: root))
        return node
    }

    private func name(of object: KeyedArchive.Object) -> String { archive.text("_name", of: object) ?? "" }

    /// Configurations; each lists its entities or their names.
    private func configurations(_ list: KeyedArchive.Object?) -> [ModelNode] {
        archive.pairs(list).sorted { $0.key < $1.key }.map { name, value in
            let members = archive.members(archive.object(value)).compactMap { member in
                archive.text(member) ?? archive.object(member).map { self.name(of: $0) }
            }
            var node = ModelNode(name: "configuration", attributes: ["name": name])
            node.children = members.sorted().map { ModelNode(name: "memberEntity", attributes: ["name": $0]) }
            return node
        }
    }

    /// The fetch requests in a list that belong to no fetched property.
    private func requests(_ list: [ListValue]) -> [ModelNode] {
        list.compactMap { archive.object($0) }
            .filter { archive.object("_fetchedProperty", of: $0) == nil }.map(request)
    }

    private func request(_ object: KeyedArchive.Object) -> ModelNode {
        var node = ModelNode(name: "fetchRequest", attributes: ["name": name(of: object)])
        node["entity"] = archive.object("_entity", of: object).map { name(of: $0) }
        node["predicateString"] = archive.text("_predicateString", of: object)
        return node
    }

    private func entity(_ object: KeyedArchive.Object) -> ModelNode {
        let settings = settings(of: object)
        let general = archive.members(archive.object("XDBucketForGeneralizationsstorage", of: object))
            .compactMap { archive.object($0) }.compactMap { archive.object("_general", of: $0) }.first
        var node = ModelNode(name: "entity", attributes: ["name": name(of: object)])
        node["representedClassName"] = settings.text("XD_PSK_entityClassName")
        node["parentEntity"] = general.map { name(of: $0) }
        node["isAbstract"] = archive.flag("_isAbstract", of: object) || settings.flag("XD_PSK_isAbstract") ? "YES" : nil
        node["elementID"] = settings.text("XD_PSK_elementID")
        node["versionHashModifier"] = settings.text("XD_PSK_versionHashModifier")
        node.children = archive.pairs(archive.object("XDBucketForOwnedAttributesstorage", of: object))
            .compactMap { archive.object($0.value) }.sorted { name(of: $0) < name(of: $1) }.compactMap(property)
        node.add(
            "uniquenessConstraints",
            "uniquenessConstraint",
            "constraint",
            nameLists(settings.object("XDPMUniquenessConstraints"))
        )
        node.add("compoundIndexes", "compoundIndex", "index", nameLists(settings.object("XDPMCompoundIndexes")))
        addUserInfo(settings.object("XD_PSK_userInfo"), to: &node)
        return node
    }

    /// Reads constraints or indexes: each is a list of names or one comma-separated text.
    private func nameLists(_ list: KeyedArchive.Object?) -> [[String]] {
        archive.members(list).map { member in
            if let names = archive.text(member) { return names.split(separator: ",").map(String.init) }
            return archive.members(archive.object(member)).compactMap { item in
                archive.text(item) ?? archive.object(item).map { name(of: $0) }
            }
        }
        .filter { !$0.isEmpty }
    }

    private func addUserInfo(_ entries: KeyedArchive.Object?, to node: inout ModelNode) {
        var info = ModelNode(name: "userInfo", attributes: [:])
        info.children = archive.pairs(entries).sorted { $0.key < $1.key }.map { key, value in
            // Values other than texts come from discontinued programs, such as Sync Services.
            let entryValue = archive.text(value) ?? ArchivedPlainValue.value(value, of: archive).map { "\($0)" } ?? ""
            return ModelNode(name: "entry", attributes: ["key": key, "value": entryValue])
        }
        if !info.children.isEmpty { node.children.append(info) }
    }

    // MARK: Properties

    private static let kinds = [
        "XDPMAttribute": "attribute", "XDPMRelationship": "relationship", "XDPMFetchedProperty": "fetchedProperty",
    ]

    /// The names in a `contents` file of settings that are called differently there.
    private static let renamed = [
        "isOptional": "optional", "isTransient": "transient", "isIndexed": "indexed", "isToMany": "toMany",
        "isSpotlightIndexed": "spotlightIndexingEnabled", "isStoredInTruthFile": "storedInTruthFile",
        "defaultValueAsString": "defaultValueString", "deleteRule": "deletionRule",
        "destination": "destinationEntity", "inverseRelationship": "inverseName",
    ]

    private func property(_ object: KeyedArchive.Object) -> ModelNode? {
        guard let kind = Self.kinds[object.className] else { return nil }
        let settings = settings(of: object)
        var node = ModelNode(name: kind, attributes: ["name": name(of: object)])
        for key in settings.holders.keys.sorted() {
            // `XD_PAttK_attributeType`: the part after the second underscore.
            guard let setting = key.split(separator: "_", maxSplits: 2).last.map(String.init) else { continue }
            let name = Self.renamed[setting] ?? setting
            switch name {
            case "userInfo": addUserInfo(settings.object(key), to: &node)
            case "attributeType":
                // A transient attribute without a type has the number 0; in XML it has no type at all.
                node[name] = settings.integer(key).flatMap { number in
                    AttributeType(rawValue: number).map(\.fileName) ?? "\(number)"
                }
            case "deletionRule":
                node[name] = settings.integer(key).map { DeleteRule(rawValue: $0)?.fileName ?? "\($0)" }
            case "optional", "transient", "indexed", "toMany", "spotlightIndexingEnabled", "storedInTruthFile",
                "ordered", "allowsExternalBinaryDataStorage", "preserveAfterDeletion":
                node[name] = settings.flag(key) ? "YES" : nil
            case "minCount", "maxCount": node[name] = settings.integer(key).map { "\($0)" }
            default:
                if let target = settings.object(key), archive.text("_name", of: target) != nil {
                    if target.className == "XDPMFetchRequest" {
                        node.children.append(request(target))
                    } else {
                        node[name] = self.name(of: target)
                    }
                } else {
                    node[name] = settings.text(key)
                }
            }
        }
        if node["derivationExpression"] != nil { node["derived"] = "YES" }
        if kind == "relationship", node["maxCount"] == nil, node["toMany"] == nil { node["maxCount"] = "1" }
        return node
    }

    // MARK: Settings

    /// All settings of an element by name.
    private struct Settings {
        let archive: KeyedArchive
        var holders: [String: KeyedArchive.Object] = [:]

        func text(_ name: String) -> String? {
            let defaultText = holders[name].flatMap { archive.text("_default", of: $0) }
            return defaultText?.isEmpty == false ? defaultText : nil
        }
        func integer(_ name: String) -> Int? { holders[name].flatMap { archive.integer("_default", of: $0) } }
        func flag(_ name: String) -> Bool { integer(name) ?? 0 != 0 }
        func object(_ name: String) -> KeyedArchive.Object? {
            holders[name].flatMap { archive.object("_default", of: $0) }
        }
    }

    private func settings(of object: KeyedArchive.Object) -> Settings {
        var settings = Settings(archive: archive)
        for (_, value) in archive.pairs(archive.object("XDBucketForStereotypesstorage", of: object)) {
            guard let stereotype = archive.object(value) else { continue }
            for (name, holder) in archive.pairs(archive.object("XDBucketForOwnedAttributesstorage", of: stereotype)) {
                settings.holders[name] = archive.object(holder)
            }
        }
        return settings
    }
}
