// The sections in the order of their tabs. The only place that names them all.

extension Studio {
    static func makeSections(_ sources: [StudioSource]) -> [any StudioSection] {
        let journals = Dictionary(
            uniqueKeysWithValues: sources.compactMap { source -> (String, SaveJournal)? in
                if case .container = source.kind { (source.id, SaveJournal()) } else { nil }
            }
        )
        let readers = BrowsingReaders(sources)
        return [
            ModelSection(), DataSection(readers), ConsoleSection(readers),
            LiveSection(sources, journals: journals), HistorySection(journals: journals),
            MigrateSection(sources: sources),
        ]
    }
}
