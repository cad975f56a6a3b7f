// The index of a table that shows a results controller: its titles, and the section of each.
extension NSFetchedResultsController {
    /// The default of `sectionIndexTitles`.
    final var titlesOfIndex: [String] {
        var titles: [String] = []
        for title in (sections ?? []).compactMap(\.indexTitle) where titles.last != title { titles.append(title) }
        return titles
    }

    /// The default of `section(forSectionIndexTitle:at:)`.
    final func firstSection(withIndexTitle title: String, at sectionIndex: Int) -> Int {
        var entry = -1
        var last: String?
        for (index, section) in (sections ?? []).enumerated() {
            guard let indexTitle = section.indexTitle else { continue }
            if indexTitle != last { entry += 1 }
            if indexTitle != last, entry == sectionIndex, indexTitle == title { return index }
            last = indexTitle
        }
        guard let first = (sections ?? []).firstIndex(where: { $0.indexTitle == title }) else {
            preconditionFailure("No section has the index title \(title).")
        }
        return first
    }
}
