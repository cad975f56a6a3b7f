// pairs: adds tags to articles, both previously fetched; each pair is a row of the join table.
import GRDB
import ManagedGraph

enum Pairs {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "pairs",
                goals: [.ratio(1.8)],
                sizes: [100_000],
                measure: .time { count($0) * tagsPerArticle($0) },
                entrants: .subjects(c: c, grdb: grdb, managed: managed)
            )
        ]
    }

    /// The number of articles, and of tags.
    private static func count(_ rows: Int) -> Int { max(1, rows / 100) }

    private static func tagsPerArticle(_ rows: Int) -> Int { min(100, count(rows)) }

    /// The position of one of the tags of an article.
    private static func tag(_ number: Int, of article: Int, _ count: Int) -> Int { (article &* 37 + number) % count }

    private static let plain = "SELECT count(*), 0 FROM articleTag"
    /// Article is the first entity of the model.
    private static let managedSum = "SELECT count(*), 0 FROM Z_1TAGS"

    /// A row with its related rows.
    private final class Node {
        let id: Int64
        var related: [Node] = []

        init(id: Int64) { self.id = id }
    }

    private static func nodes(_ database: CDatabase, _ table: String) throws -> [Node] {
        let statement = try database.prepare("SELECT id FROM \(table) ORDER BY id")
        var nodes: [Node] = []
        while try statement.step() { nodes.append(Node(id: statement.int(0))) }
        return nodes
    }

    private static func c(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let database = try setting.c(setting.copy(setting.plain(.articles)), .articles)
        let articles = try nodes(database, "article")
        let tags = try nodes(database, "tag")
        return {
            try database.transaction {
                let statement = try database.prepare("INSERT INTO articleTag (articleId, tagId) VALUES (?, ?)")
                for (position, article) in articles.enumerated() {
                    for number in 0..<tagsPerArticle(rows) {
                        let tag = tags[tag(number, of: position, tags.count)]
                        article.related.append(tag)
                        try statement.run {
                            statement.bind(1, article.id)
                            statement.bind(2, tag.id)
                        }
                    }
                }
            }
            return Outcome { try database.checksum(plain) }
        }
    }

    private struct PairRecord: PersistableRecord {
        static let databaseTableName = "articleTag"

        var article: Int64
        var tag: Int64

        func encode(to container: inout PersistenceContainer) {
            container["articleId"] = article
            container["tagId"] = tag
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let file = try setting.copy(setting.plain(.articles))
        let queue = try setting.grdb(file, .articles)
        let articles = try queue.read { try Int64.fetchAll($0, sql: "SELECT id FROM article ORDER BY id") }
        let tags = try queue.read { try Int64.fetchAll($0, sql: "SELECT id FROM tag ORDER BY id") }
        return {
            try queue.write { database in
                for (position, article) in articles.enumerated() {
                    for number in 0..<tagsPerArticle(rows) {
                        let tag = tags[tag(number, of: position, tags.count)]
                        try PairRecord(article: article, tag: tag).insert(database)
                    }
                }
            }
            return Outcome { try CDatabase(file).checksum(plain) }
        }
    }

    private static func managed(_ setting: Setting) throws -> Work {
        let rows = setting.rows
        let store = try setting.store(setting.copy(setting.managed(.articles)))
        let context = store.context()
        let (articles, tags) = try context.performAndWait {
            (try context.fetch(Article.fetchRequest()), try context.fetch(Tag.fetchRequest()))
        }
        return {
            try context.performAndWait {
                for (position, article) in articles.enumerated() {
                    for number in 0..<tagsPerArticle(rows) {
                        article.addToTags(tags[tag(number, of: position, tags.count)])
                    }
                }
                try context.save()
            }
            return Outcome { try store.checksum(managedSum) }
        }
    }
}
