// The sections in the order of their tabs. The only place that names them all.

extension Studio {
    static func makeSections(_ sources: StudioSources) -> [any StudioSection] {
        let journals = Dictionary(
            uniqueKeysWithValues: sources.all.compactMap { source -> (String, SaveJournal)? in
                if case .container = source.kind { (source.id, SaveJournal()) } else { nil }
            }
        )
        let readers = BrowsingReaders(sources)
        return [
            ModelSection(), DataSection(readers), ConsoleSection(readers),
            LiveSection(sources.all, journals: journals), HistorySection(journals: journals),
            MigrateSection(sources: sources, readers: readers),
        ]
    }
}
