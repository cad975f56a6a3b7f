// Models of stores in the corpus that come without a model file, built in code. Their version hashes, which match those
// of the stores, prove them right.
import GraphModel
import ModelSupport

enum CodeModels {
    static let all = [challenges, pulseBlobs, pulseLogs, books(version: 1), books(version: 2)]

    /// A SwiftData model: an enumeration is a composite attribute with one element of the same name.
    private static let challenges = Model(entities: [
        Entity(
            name: "Challenge",
            properties: [
                .attribute("id", .uuid, isOptional: false),
                .attribute("name", .string, isOptional: false),
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
        Entity(name: "PulseBlobEntity", properties: [.attribute("key", .string), .attribute("data", .binary)])
    ])

    /// Relationships without inverses, one of them to many.
    private static let pulseLogs = Model(entities: [
        Entity(
            name: "LoggerMessageEntity",
            properties: ["file", "function", "label", "level", "session", "text"].map {
                Property.attribute($0, .string)
            } + [
                .attribute("createdAt", .date), .attribute("line", .integer32),
                .toMany("metadata", "LoggerMetadataEntity"),
                .toOne("request", "LoggerNetworkRequestEntity"),
            ]
        ),
        Entity(name: "LoggerMetadataEntity", properties: [.attribute("key", .string), .attribute("value", .string)]),
        Entity(
            name: "LoggerNetworkRequestDetailsEntity",
            properties: ["error", "metrics", "request", "response"].map { Property.attribute($0, .binary) } + [
                .attribute("requestBodySize", .integer64), .attribute("responseBodySize", .integer64),
            ]
        ),
        Entity(
            name: "LoggerNetworkRequestEntity",
            properties: ["errorDomain", "host", "httpMethod", "requestBodyKey", "responseBodyKey", "session", "url"]
                .map { Property.attribute($0, .string) } + [
                    .attribute("createdAt", .date), .attribute("duration", .double),
                    .attribute("errorCode", .integer32),
                    .attribute("isCompleted", .boolean), .attribute("statusCode", .integer32),
                    .toOne("details", "LoggerNetworkRequestDetailsEntity", minCount: 1),
                    .toOne("message", "LoggerMessageEntity", minCount: 1),
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
            Entity(name: "Writer", isAbstract: true, properties: [.attribute("age", .integer16, isOptional: false)]),
            Entity(
                name: "Author",
                superentityName: "Writer",
                properties: [
                    .attribute("alias", .string, isOptional: false),
                    .toMany("books", "Book", "author", maxCount: -1),
                ] + (version == 1 ? [.attribute("siteURL", .uri)] : []),
                uniquenessConstraints: [["alias"]]
            ),
            Entity(
                name: "Book",
                properties: [
                    .toOne("author", "Author", "books", minCount: 1, isOptional: false),
                    .attribute(version == 1 ? "cover" : "frontCover", .transformable, isOptional: false),
                    .toMany("pages", "Page", "book", minCount: 1, maxCount: 10_000, isOptional: false),
                    .attribute(pagesCount),
                    .attribute("price", .decimal, isOptional: false),
                    .attribute("publishedAt", .date, isOptional: false),
                    .attribute("title", .string, isOptional: false),
                    .attribute("uniqueID", .uuid, isOptional: false),
                ],
                uniquenessConstraints: [["uniqueID"]]
            ),
            Entity(
                name: "GraphicNovel",
                superentityName: "Book",
                properties: [.attribute("isBlackAndWhite", .boolean, isOptional: false)]
            ),
            Entity(
                name: "Page",
                properties: [
                    .toOne("book", "Book", "pages", minCount: 1, isOptional: false),
                    .attribute("content", .transformable, isOptional: false),
                    .attribute("isBookmarked", .boolean, isOptional: false),
                    .attribute("number", .integer32, isOptional: false),
                ]
            ),
            Entity(
                name: "Feedback",
                properties: [
                    .attribute("authorAlias", .string, isOptional: false),
                    .attribute("bookID", .uuid, isOptional: false),
                    .attribute("comment", .string), .attribute("rating", .double, isOptional: false),
                ]
            ),
        ])
    }
}
