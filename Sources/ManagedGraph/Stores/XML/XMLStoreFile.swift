// The content of an XML store as values, read by an event parser without the model. Used by XMLStore and
// XMLStoreWriter.
import Foundation
import GraphArchives

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The content of an XML store's file.
struct XMLStoreFile {
    struct Attribute {
        var name = ""
        var type = ""
        var text = ""
    }

    struct Relationship {
        var name = ""
        /// The minimum and maximum number of members, with a maximum of 0 for no limit.
        var bounds = ""
        var destination = ""
        var references: [String] = []
    }

    struct Object {
        var type = ""
        var identifier = ""
        var attributes: [Attribute] = []
        var relationships: [Relationship] = []
    }

    var uuid = ""
    /// The highest number assigned to an object.
    var lastNumber: Int64 = 0
    var metadata: [String: Any] = [:]
    var objects: [Object] = []

    /// Parses a file's content.
    init(_ data: Data) throws(DamagedStoreFile) {
        guard !data.isEmpty else { throw DamagedStoreFile("the file is empty") }
        // Foundation's parser crashes if the bytes of an attribute are not valid text.
        guard String(validating: data, as: UTF8.self) != nil else {
            throw DamagedStoreFile("it is not text in UTF-8, and so not an XML store")
        }
        // Entities may expand without bound, and no store defines any.
        let prolog = data.firstRange(of: Data("<database".utf8)).map { data[..<$0.lowerBound] } ?? data
        guard prolog.firstRange(of: Data("<!ENTITY".utf8)) == nil else {
            throw DamagedStoreFile("it defines entities, as no XML store does")
        }
        // From a stream, whose parts libxml2 takes one after the other: it refuses more than 10 MB at once.
        let parser = XMLParser(stream: InputStream(data: data))
        parser.shouldResolveExternalEntities = false
        let reader = XMLStoreFileReader()
        parser.delegate = reader
        let isWhole = parser.parse()
        if let reason = reader.reason { throw DamagedStoreFile(reason) }
        guard isWhole, reader.isFinished else {
            let line = parser.lineNumber
            throw DamagedStoreFile("it is not an XML file, or its end is missing (line \(line))")
        }
        self = reader.file
        guard UUID(uuidString: uuid) != nil || !uuid.isEmpty else { throw DamagedStoreFile("it has no UUID") }
    }

    init() {}
}
