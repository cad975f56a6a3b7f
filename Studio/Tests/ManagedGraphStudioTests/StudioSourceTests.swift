import Foundation
import Testing

@testable import ManagedGraphStudio

@Suite struct StudioSourceTests {
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

    @Test func everyStudioHasAnotherKey() throws {
        let one = try Studio([source("A")])
        let other = try Studio([source("A")])
        #expect(one.address(of: "a", section: "model").hasPrefix("/studio/a/model?key="))
        #expect(one.address() != other.address())
        #expect(one.sections(of: "b").isEmpty)
    }
}
