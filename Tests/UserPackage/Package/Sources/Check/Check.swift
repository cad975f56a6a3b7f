// Uses the package's model as a program would, and reports the claims that do not hold.
import CoreData
import Foundation
import Guide
import Money
import Shelf

@main
@MainActor
struct Check {
    static var count = 0

    static func expect(_ claim: String, _ isTrue: Bool) {
        count += 1
        guard isTrue else {
            print("user package: this does not hold: \(claim)")
            exit(1)
        }
    }

    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bookshelf-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appendingPathComponent("Library.sqlite")
        try write(to: try open(store))
        try read(from: try open(store))
        try validate(in: try open(store))
        try swiftPredicates(in: try open(store))
        print("user package: \(count) claims hold")
        try await Guide.run()
    }

    static func open(_ store: URL) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    static func write(to container: NSPersistentContainer) throws {
        let context = container.viewContext
        let author = Author(context: context)
        author.name = "Ada Lovelace"
        author.name? += " King"
        author.rank += 2
        author.score = 7
        author.price = NSDecimalNumber(string: "1.5")
        author.id = UUID()
        author.default = "A"
        author.born = Date(timeIntervalSinceReferenceDate: 1000)
        let poet = Poet(context: context)
        poet.name = "Poet"
        poet.metre = "iamb"
        for (title, pages) in [("Short", 10), ("Long", 500), ("Longer", 900)] {
            let book = Book(context: context)
            book.title = title
            book.pages = Int32(pages)
            author.addToBooks(book)
            author.insertIntoShelf(book, at: 0)
        }
        let loan = Loan(context: context)
        expect("awakeFromInsert sets the date through the primitive accessor", loan.dueDate != nil)
        loan.annotate("lent")
        loan.kind = .home
        loan.book = author.books?.anyObject() as? Book
        let part = Loan(context: context)
        loan.addToParts(part)
        expect("the plugin's function finds a class by its name", Loan.type(of: loan.entity) == Loan.self)
        expect("a hand-written to-many accessor sets the inverse", part.whole === loan)
        part.dueDate = Date(timeIntervalSinceNow: -3600)
        try context.save()
        expect("a saved object has a permanent ID", !author.objectID.isTemporaryID)
    }

    /// Key paths of generated and handwritten classes, and of classes with generated properties, from another module.
    static func swiftPredicates(in container: NSPersistentContainer) throws {
        let context = container.viewContext
        let books: NSFetchRequest<Book> = Book.fetchRequest()
        books.predicate = NSPredicate(#Predicate<Book> { $0.pages > 100 && $0.author?.name == "Ada Lovelace King" })
        books.sortDescriptors = [SortDescriptor(\Book.author?.name), SortDescriptor(\Book.pages, order: .reverse)]
            .map(NSSortDescriptor.init)
        expect("#Predicate and SortDescriptor fetch", try context.fetch(books).map(\.pages) == [900, 500])
        let loans = NSFetchRequest<Loan>(entityName: "Loan")
        loans.predicate = NSPredicate(#Predicate<Loan> { $0.note != nil && $0.parts.contains { $0.dueDate != nil } })
        expect("#Predicate knows @NSManaged properties", try context.fetch(loans).map(\.note) == ["lent!"])
        let poets: NSFetchRequest<Poet> = Poet.fetchRequest()
        poets.predicate = NSPredicate(#Predicate<Poet> { $0.name == "Poet" && $0.metre == "iamb" })
        expect("#Predicate knows inherited properties", try context.fetch(poets).count == 1)
        expect("paths are named", NSSortDescriptor(keyPath: \Loan.whole?.book?.title, ascending: true).key != nil)
        loans.predicate = NSPredicate(#Predicate<Loan> { $0.label == "x" })
        expect("a computed property is refused", (try? context.fetch(loans)) == nil)
    }

    static func read(from container: NSPersistentContainer) throws {
        let context = container.viewContext
        let request: NSFetchRequest<Author> = Author.fetchRequest()
        request.predicate = NSPredicate(format: "rank == 2 AND name BEGINSWITH[c] %@", "ada")
        let authors = try context.fetch(request)
        expect("a predicate finds the one author", authors.count == 1)
        let author = authors[0]
        expect("the name was saved", author.name == "Ada Lovelace King")
        expect("the initials are computed", author.initials == "ALK")
        expect("numbers and decimals were saved", author.score == 7 && author.price == NSDecimalNumber(string: "1.5"))
        expect("a keyword can be a property", author.default == "A")
        expect("a to-many relationship was saved", author.books?.count == 3)
        let titles = author.shelf?.compactMap { ($0 as? Book)?.title }
        expect("an ordered relationship keeps its order", titles == ["Longer", "Long", "Short"])
        expect("a fetched property fetches", author.longBooks?.count == 2)
        let books: NSFetchRequest<Book> = Book.fetchRequest()
        books.predicate = BookCondition.longer(than: 100, by: "Ada Lovelace King")
        expect("subclasses of predicates are fetched with", try context.count(for: books) == 2)
        let text = "pages > 100 AND author.name == \"Ada Lovelace King\""
        expect("they print as others", books.predicate?.description == text)
        let poets: NSFetchRequest<Poet> = Poet.fetchRequest()
        expect("a subentity's class is generated", try context.fetch(poets).first?.metre == "iamb")
        let all: NSFetchRequest<Author> = Author.fetchRequest()
        expect("a superentity's request finds subentities", try context.count(for: all) == 2)
        let loans = try context.fetch(NSFetchRequest<Loan>(entityName: "Loan"))
        guard let loan = loans.first(where: { $0.whole == nil }), let part = loans.first(where: { $0.whole != nil })
        else {
            return expect("both loans were saved", false)
        }
        expect("hand-written accessors read from the store", loan.note == "lent!" && loan.kind == .home)
        expect("a typed set is read", loan.parts == [part])
        expect("a computed property answers key-value coding", part.value(forKey: "isOverdue") as? Bool == true)
        let label = loan.value(forKey: "label") as? String
        expect("one that the model does not know too", label?.hasSuffix("lent!") == true)
        let overdue = (loans as NSArray).filtered(using: NSPredicate(format: "isOverdue == YES"))
        expect("a predicate in memory asks the computed property", overdue.count == 1)
        let model = container.managedObjectModel
        let template = model.fetchRequestFromTemplate(
            withName: "loansDueBefore",
            substitutionVariables: ["DATE": Date()]
        )
        let due = try template.map { try context.fetch($0) as [Any] }
        expect("a fetch request template finds the overdue loan", due?.count == 1)
    }

    static func validate(in container: NSPersistentContainer) throws {
        let context = container.viewContext
        let loan = Loan(context: context)
        loan.dueDate = Date(timeIntervalSinceReferenceDate: 0)
        expect("a method with a pointer refuses a date", code(of: context) == 1001)
        loan.dueDate = Date()
        loan.annotate("bad")
        expect("a typed method refuses a text", code(of: context) == 1002)
        loan.annotate("good")
        expect("valid values are saved", code(of: context) == nil)
    }

    /// The code of the error with which a save fails; with several errors, of the first.
    static func code(of context: NSManagedObjectContext) -> Int? {
        do {
            try context.save()
            return nil
        } catch {
            let error = error as NSError
            let details = error.userInfo["NSDetailedErrors"] as? [NSError]
            return details?.first?.code ?? error.code
        }
    }
}
