// Models of stores in the corpus that come without a model file, built in code. Their version hashes, which match those
// of the stores, prove them right.
import GraphModel

enum CodeModels {
    static let all = [challenges, pulseBlobs, pulseLogs, books(version: 1), books(version: 2)]

    /// A SwiftData model: an enumeration is a composite attribute with one element of the same name.
    private static let challenges = Model(entities: [
        Entity(
            name: "Challenge",
            properties: [
                attribute("id", .uuid, isOptional: false),
                attribute("name", .string, isOptional: false),
                .attribute(
                    Attribute(
                        common: PropertyCommon(name: "rating"),
                        type: .composite,
                        elements: [Attribute(common: PropertyCommon(name: "rating"), type: .string)]
                    )
                ),
            ]
        )
    ])

    private static let pulseBlobs = Model(entities: [
        Entity(name: "PulseBlobEntity", properties: [attribute("key", .string), attribute("data", .binary)])
    ])

    /// Relationships without inverses, one of them to many.
    private static let pulseLogs = Model(entities: [
        Entity(
            name: "LoggerMessageEntity",
            properties: ["file", "function", "label", "level", "session", "text"].map { attribute($0, .string) } + [
                attribute("createdAt", .date), attribute("line", .integer32),
                relationship("metadata", "LoggerMetadataEntity", nil, counts: 0...0),
                relationship("request", "LoggerNetworkRequestEntity", nil, counts: 0...1),
            ]
        ),
        Entity(name: "LoggerMetadataEntity", properties: [attribute("key", .string), attribute("value", .string)]),
        Entity(
            name: "LoggerNetworkRequestDetailsEntity",
            properties: ["error", "metrics", "request", "response"].map { attribute($0, .binary) } + [
                attribute("requestBodySize", .integer64), attribute("responseBodySize", .integer64),
            ]
        ),
        Entity(
            name: "LoggerNetworkRequestEntity",
            properties: ["errorDomain", "host", "httpMethod", "requestBodyKey", "responseBodyKey", "session", "url"]
                .map { attribute($0, .string) } + [
                    attribute("createdAt", .date), attribute("duration", .double), attribute("errorCode", .integer32),
                    attribute("isCompleted", .boolean), attribute("statusCode", .integer32),
                    relationship("details", "LoggerNetworkRequestDetailsEntity", nil, counts: 1...1),
                    relationship("message", "LoggerMessageEntity", nil, counts: 1...1),
                ]
        ),
    ])

    /// Two trees, a derived attribute, a key into a tree, all kinds of blobs; fetched properties are omitted.
    private static func books(version: Int) -> Model {
        let pagesCount = Attribute(
            common: PropertyCommon(name: "pagesCount"),
            type: .integer64,
            derivationExpressionFormat: "pages.@count"
        )
        return Model(entities: [
            Entity(name: "Writer", isAbstract: true, properties: [attribute("age", .integer16, isOptional: false)]),
            Entity(
                name: "Author",
                superentityName: "Writer",
                properties: [
                    attribute("alias", .string, isOptional: false),
                    relationship("books", "Book", "author", counts: 0...0, maxCount: -1),
                ] + (version == 1 ? [attribute("siteURL", .uri)] : []),
                uniquenessConstraints: [["alias"]]
            ),
            Entity(
                name: "Book",
                properties: [
                    relationship("author", "Author", "books", counts: 1...1, isOptional: false),
                    attribute(version == 1 ? "cover" : "frontCover", .transformable, isOptional: false),
                    relationship("pages", "Page", "book", counts: 1...10_000, isOptional: false),
                    .attribute(pagesCount),
                    attribute("price", .decimal, isOptional: false),
                    attribute("publishedAt", .date, isOptional: false),
                    attribute("title", .string, isOptional: false),
                    attribute("uniqueID", .uuid, isOptional: false),
                ],
                uniquenessConstraints: [["uniqueID"]]
            ),
            Entity(
                name: "GraphicNovel",
                superentityName: "Book",
                properties: [attribute("isBlackAndWhite", .boolean, isOptional: false)]
            ),
            Entity(
                name: "Page",
                properties: [
                    relationship("book", "Book", "pages", counts: 1...1, isOptional: false),
                    attribute("content", .transformable, isOptional: false),
                    attribute("isBookmarked", .boolean, isOptional: false),
                    attribute("number", .integer32, isOptional: false),
                ]
            ),
            Entity(
                name: "Feedback",
                properties: [
                    attribute("authorAlias", .string, isOptional: false), attribute("bookID", .uuid, isOptional: false),
                    attribute("comment", .string), attribute("rating", .double, isOptional: false),
                ]
            ),
        ])
    }

    private static func attribute(_ name: String, _ type: AttributeType, isOptional: Bool = true) -> Property {
        .attribute(Attribute(common: PropertyCommon(name: name, isOptional: isOptional), type: type))
    }

    private static func relationship(
        _ name: String,
        _ destination: String,
        _ inverse: String?,
        counts: ClosedRange<Int>,
        maxCount: Int? = nil,
        isOptional: Bool = true
    ) -> Property {
        .relationship(
            Relationship(
                common: PropertyCommon(name: name, isOptional: isOptional),
                destinationEntityName: destination,
                inverseName: inverse,
                minCount: counts.lowerBound,
                maxCount: maxCount ?? counts.upperBound,
                isToMany: counts.upperBound != 1
            )
        )
    }
}
