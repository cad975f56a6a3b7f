// The bodies of the modeller's requests and answers.
import GraphModelling

extension ModelSection {
    /// Edits that are applied as one change.
    struct EditRequest: Decodable {
        var edits: [ModelEdit]
        var title: String?
        /// The version that the page shows.
        var version: String?
        /// The revision that the page shows.
        var since: Int?
    }

    struct ChangeRequest: Decodable {
        var since: Int?
    }

    /// A version, or a file beside the model.
    struct NameRequest: Decodable {
        var name: String
    }

    struct SaveRequest: Decodable {
        var since: Int?
        var overwriting: Bool?
        var acceptingErrors: Bool?
    }

    struct VersionContent: Encodable {
        var entities: [EntityPicture]
        var positions: [CardPosition]
    }

    struct DiskChanges: Encodable {
        var difference: ModelComparisonPicture?
    }

    struct Conversion: Encodable {
        var file: String
        var losses: [String]
    }
}
