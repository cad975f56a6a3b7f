import Foundation
import Testing

@testable import ManagedGraphStudio

struct StudioSourceTests {
    private func source(_ title: String) -> StudioSource {
        StudioSource(title: title, kind: .model(URL(fileURLWithPath: "/m")))
    }

    @Test func namesInAddressesAreSafeAndUnique() {
        let sources = StudioSource.named(["Shop.sqlite", "Shop sqlite", "api", "", "Größe/../x"].map(source))
        #expect(sources.map(\.id) == ["shop-sqlite", "shop-sqlite-2", "source-api", "source-", "gr-e-x"])
        #expect(Set(sources.map(\.id)).count == sources.count)
    }

    @Test func filesAreModelsByTheirExtensionsAndOtherwiseStores() {
        for name in ["A.xcdatamodeld", "A.xcdatamodel", "A.mom", "A.momd"] {
            guard case .model = StudioSource(file: URL(fileURLWithPath: "/\(name)")).kind else {
                Issue.record("\(name) is a model")
                continue
            }
        }
        let store = StudioSource(file: URL(fileURLWithPath: "/A.xml"), writable: true)
        #expect(store.facts.kind == "store" && store.facts.isWritable)
    }

    @Test func pagesOpenFilesOnceAndOnlyIfTheStudioPermitsIt() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "opened-\(UUID().uuidString).xml")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let closed = StudioSources([source("A")])
        let refusal = #expect(throws: StudioError.self) { _ = try closed.open(file.path) }
        #expect(refusal?.status == .forbidden && refusal?.remedy != nil)
        let open = StudioSources([source("A")], opening: .writable)
        let opened = try open.open(" \(file.path)\n")
        #expect(opened.facts.isWritable && open.source(opened.id) != nil)
        #expect(try open.open(file.path).id == opened.id && open.all.count == 2)
        for text in ["", "/nowhere/Shop.sqlite", "postgresql://u:geheim/@x@host/db"] {
            let error = #expect(throws: (any Error).self) { _ = try open.open(text) }
            let shown = error.map { StudioError($0) }
            #expect(shown?.remedy?.isEmpty == false && shown?.message.contains("geheim") == false, "\(text)")
        }
        #expect(open.all.count == 2)
    }

    @Test func everyStudioHasAnotherKey() throws {
        let one = try Studio([source("A")])
        let other = try Studio([source("A")])
        #expect(one.address(of: "a", section: "model").hasPrefix("/studio/a/model?key="))
        #expect(one.address() != other.address())
        #expect(one.sections(of: "b").isEmpty)
    }
}
