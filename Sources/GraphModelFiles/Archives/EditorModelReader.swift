// The models that Xcode's editor keeps as keyed archives of its own objects (XDPMModel): inside of mapping models. What
// version hashes and renaming need is read; the editor's settings hang on each element as "stereotypes".
import Foundation
import GraphModel

/// Reads the archive of an editor's model.
struct EditorModelReader {
    private let archive: KeyedArchive

    /// The model; nil where the data are no such archive.
    static func read(_ data: Data) -> Model? {
        guard let archive = KeyedArchive(data), let root = archive.root, root.className == "XDPMModel" else {
            return nil
        }
        return EditorModelReader(archive: archive).model(root)
    }

    private func model(_ root: KeyedArchive.Object) -> Model {
        let package = archive.object("_xd_rootPackage", of: root)
        let classes = package.flatMap { archive.object("XDBucketForClassesstorage", of: $0) }
        let entities = archive.pairs(classes).compactMap { archive.object($0.value) }
            .filter { $0.className == "XDPMEntity" }.map(entity)
        let identifier = archive.text("_modelVersionIdentifier", of: root)
        return Model(entities: entities, versionIdentifiers: identifier.map { [$0] } ?? [])
    }

    private func entity(_ object: KeyedArchive.Object) -> Entity {
        let settings = settings(of: object)
        let properties = archive.pairs(archive.object("XDBucketForOwnedAttributesstorage", of: object))
            .compactMap { archive.object($0.value) }.compactMap(property)
        let general = archive.members(archive.object("XDBucketForGeneralizationsstorage", of: object))
            .compactMap { archive.object($0) }.compactMap { archive.object("_general", of: $0) }.first
        return Entity(
            name: archive.text("_name", of: object) ?? "",
            className: settings.text("XD_PSK_entityClassName"),
            superentityName: general.flatMap { archive.text("_name", of: $0) },
            isAbstract: archive.flag("_isAbstract", of: object) || settings.flag("XD_PSK_isAbstract"),
            properties: properties,
            uniquenessConstraints: constraints(settings.object("XDPMUniquenessConstraints")),
            renamingIdentifier: settings.text("XD_PSK_elementID"),
            versionHashModifier: settings.text("XD_PSK_versionHashModifier")
        )
    }

    /// Each constraint is a list of names, or one text with commas.
    private func constraints(_ list: KeyedArchive.Object?) -> [[String]] {
        archive.members(list).map { member in
            if let text = archive.text(member) { return text.split(separator: ",").map(String.init) }
            return archive.members(archive.object(member)).compactMap { item in
                archive.text(item) ?? archive.object(item).flatMap { archive.text("_name", of: $0) }
            }
        }
        .filter { !$0.isEmpty }
    }

    private func property(_ object: KeyedArchive.Object) -> Property? {
        let settings = settings(of: object)
        let common = PropertyCommon(
            name: archive.text("_name", of: object) ?? "",
            isOptional: settings.flag("XD_PPSK_isOptional"),
            isTransient: settings.flag("XD_PPSK_isTransient"),
            isIndexed: settings.flag("XD_PPSK_isIndexed"),
            renamingIdentifier: settings.text("XD_PPSK_elementID"),
            versionHashModifier: settings.text("XD_PPSK_versionHashModifier")
        )
        switch object.className {
        case "XDPMAttribute":
            return .attribute(
                Attribute(
                    common: common,
                    type: settings.integer("XD_PAttK_attributeType").flatMap(AttributeType.init) ?? .undefined,
                    allowsExternalBinaryDataStorage: settings.flag("XD_PAttK_allowsExternalBinaryDataStorage"),
                    preservesValueInHistoryOnDeletion: settings.flag("XD_PAttK_preserveAfterDeletion"),
                    valueTransformerName: settings.text("XD_PAttK_valueTransformerName"),
                    derivationExpressionFormat: settings.text("XD_PAttK_derivationExpression")
                )
            )
        case "XDPMRelationship":
            let maxCount = settings.integer("XD_PRK_maxCount") ?? 1
            return .relationship(
                Relationship(
                    common: common,
                    destinationEntityName: settings.object("XD_PRK_destination").flatMap {
                        archive.text("_name", of: $0)
                    } ?? "",
                    inverseName: settings.object("XD_PRK_inverseRelationship").flatMap {
                        archive.text("_name", of: $0)
                    },
                    minCount: settings.integer("XD_PRK_minCount") ?? 0,
                    maxCount: maxCount,
                    isToMany: settings.flag("XD_PRK_isToMany"),
                    isOrdered: settings.flag("XD_PRK_ordered"),
                    deleteRule: settings.integer("XD_PRK_deleteRule").flatMap(DeleteRule.init) ?? .nullify
                )
            )
        default: return nil
        }
    }

    // MARK: Settings

    /// All settings of an element by name.
    private struct Settings {
        let archive: KeyedArchive
        var holders: [String: KeyedArchive.Object] = [:]

        func text(_ name: String) -> String? {
            let text = holders[name].flatMap { archive.text("_default", of: $0) }
            return text?.isEmpty == false ? text : nil
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
