// The sections in the order of their tabs. The only place that names them all.

extension Studio {
    static func makeSections(_ sources: [StudioSource]) -> [any StudioSection] {
        [LiveSection()]
    }
}
