// Types of Apple's Foundation that other platforms lack, and that Core Data code uses often. The first use of each in a
// file is reported.

enum MissingTypeRule: PortingRule {
    static let name = FoundationRule.name

    static func run(on files: [PortingFile], index: CodeIndex) {
        let names = Set(remedies.keys).filter { !index.hasType(named: $0) }
        for file in files {
            for use in NameReader.firstUses(of: names, in: file) {
                let message = "\(use.text) is part of Apple's Foundation alone"
                file.report(name, at: use, message, remedies[use.text] ?? appleOnly)
            }
        }
    }

    private static let weakValues =
        "Use a dictionary, a set or an array, whose values hold an object in a weak variable if it must not be kept."
    private static let formatted = "Make the text yourself, or put the use under #if canImport(Darwin)."
    private static let appleOnly = "Put the use under #if canImport(Darwin), with something else in the #else part."

    /// The remedies, by the types' names.
    private static let remedies: [String: String] = [
        "NSMapTable": weakValues,
        "NSHashTable": weakValues,
        "NSPointerArray": weakValues,
        "NSDataDetector": "Use NSRegularExpression.",
        "NSProxy": "Declare the methods.",
        "NSInvocation": "Use a closure.",
        "RelativeDateTimeFormatter": formatted,
        "ListFormatter": formatted,
        "MeasurementFormatter": formatted,
        "NSFileCoordinator": appleOnly,
        "NSFilePresenter": appleOnly,
        "NSFileVersion": appleOnly,
        "NSFileWrapper": appleOnly,
        "NSItemProvider": appleOnly,
        "NSLinguisticTagger": appleOnly,
        "NSMetadataQuery": appleOnly,
        "NSPurgeableData": appleOnly,
        "NSUbiquitousKeyValueStore": appleOnly,
        "NSUserActivity": appleOnly,
        "NSXPCConnection": appleOnly,
        "DistributedNotificationCenter": appleOnly,
    ]
}
