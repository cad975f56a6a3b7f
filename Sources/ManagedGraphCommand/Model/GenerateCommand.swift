// `managedgraph generate`: writes the classes of a model's entities into a folder. The command prints; XcodeFiles
// determines the contents of the files, and ClassFolder writes them.
import ArgumentParser
import Foundation
import GraphArchives
import GraphCodeGeneration
import ManagedGraphTools

struct GenerateCommand: ParsableCommand {
    /// Languages that classes can be generated in.
    enum Language: String, CaseIterable, ExpressibleByArgument {
        case swift
    }

    /// Access levels of classes and their members.
    enum AccessLevel: String, CaseIterable, ExpressibleByArgument {
        case `public`, package, `internal`
    }

    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes the classes of a model's entities to a folder.",
        discussion: """
            Writes two files for each class, as Xcode's "Create NSManagedObject Subclass" does: \
            Task+CoreDataClass.swift, which you edit, and Task+CoreDataProperties.swift, which is written again each \
            time. They compile on Apple's platforms and elsewhere. An entity whose Codegen is Category/Extension \
            gets the properties only; one with Manual/None gets nothing, unless --all is given.

            A class that any file of the folder declares is kept, and a file that would not change keeps its date. \
            The model is an .xcdatamodeld, an .xcdatamodel, the contents file in one, a .momd, a .mom, or a SQLite \
            store; compiled models and stores contain neither the use of scalars nor Codegen, so they need --all.

            With --json, each line is an object for one file: "file", "action" (written, renewed, unchanged, kept), \
            "class" and "entity". The exit status is 1 if the model cannot be read or a file cannot be written.
            """
    )

    @Argument(help: ArgumentHelp("The model.", valueName: "model"), completion: .models)
    var model: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The folder for the files; created if missing.", valueName: "folder"),
        completion: .directory
    )
    var output = "."

    @OptionGroup var version: VersionOption

    @Option(help: ArgumentHelp("The language: swift.", valueName: "language"))
    var language = Language.swift

    @Option(help: ArgumentHelp("The access level: public, package or internal.", valueName: "level"))
    var access = AccessLevel.public

    @Option(
        name: .customLong("import"),
        help: ArgumentHelp(
            "The module that the files import: CoreData, which Apple has too, or ManagedGraph.",
            valueName: "module"
        )
    )
    var module = "CoreData"

    @Flag(help: "Write both files for every class, whatever its entity's Codegen is.")
    var all = false

    @Flag(help: "Replace class files too: your changes to them are lost.")
    var force = false

    @Flag(help: "Only list the files that would be written.")
    var dryRun = false

    @Flag(help: "Write one JSON object a line.")
    var json = false

    @OptionGroup var colour: ColourOption

    func run() throws {
        let printer = Output(colour.choice)
        let namedModel = try CommandFailure.naming(model) { try NamedModel.read(model, version: version.version) }
        let classes = XcodeFiles(model: namedModel.model, module: module, access: access.rawValue)
        let files = classes.files(includingManual: all)
        guard !files.isEmpty else {
            throw CommandFailure(
                model,
                classes.files(includingManual: true).isEmpty
                    ? "no entity names a class. Name one in the model."
                    : "no entity asks for a generated class. Give --all to write classes for those with Manual/None too."
            )
        }
        let outcomes = try CommandFailure.naming(output) {
            let folder = URL(fileURLWithPath: output)
            return try ClassFolder(folder, replacesClasses: force, isTrial: dryRun).write(files)
        }
        for outcome in outcomes { try write(outcome, to: printer) }
        try printer.flush()
    }

    private func write(_ outcome: ClassFolder.Outcome, to printer: Output) throws {
        if json {
            let object = JSONValue.object([
                ("file", .string(outcome.path)), ("action", .string(outcome.action.rawValue)),
                ("class", .string(outcome.file.className)), ("entity", .string(outcome.file.entityName)),
            ])
            return try printer.line(object)
        }
        let colour: Colour =
            switch outcome.action {
            case .written, .renewed: .green
            case .unchanged: .dim
            case .kept: .yellow
            }
        try printer.line("\(printer.paint(outcome.action.rawValue, colour)) \(TextWidth.harmless(outcome.path))")
    }
}
