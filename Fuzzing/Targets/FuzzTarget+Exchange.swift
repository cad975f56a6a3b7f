// Imports of JSON lines and CSV into a store, and addresses of databases.
import Foundation
import GraphPostgreSQL
import ManagedGraphTools

extension FuzzTarget {
    static let exchanges = [
        FuzzTarget(
            "json-import",
            dictionary: "json",
            seeds: {
                [
                    Data("{\"entity\": \"Account\", \"name\": \"a\"}\n{\"entity\": \"Account\"}\n".utf8),
                    Data("{\"id\": \"a1\", \"entity\": \"Account\", \"name\": \"\\u00e4\"}\n".utf8),
                ]
            }
        ) { data in importing(data, "jsonl", entity: nil) },
        FuzzTarget(
            "csv-import",
            dictionary: "csv",
            seeds: {
                [
                    "id,text,amount,booked\ne1,\"x \"\"y\"\"\",12.50,2020-01-01T00:00:00Z\n,,,\n",
                    "text\r\n\"a\nb\"\r\n",
                    "small,cleared,identifier,link,stamp,labels,rate\n1,true,,https://a.example,AQI=,,2.5\n",
                ]
                .map { Data($0.utf8) }
            }
        ) { data in importing(data, "csv", entity: "Entry") },
        FuzzTarget(
            "address",
            dictionary: "address",
            seeds: {
                [
                    "postgresql://app:secret@db.example.com:5432/shop?schema=shop&sslmode=verify-full",
                    "postgresql:///shop?host=a,b&port=1,2&target_session_attrs=read-write&readers=a,b:3",
                    "postgresql://[::1]/d?pool=4&timeout=1.5&notify=on&profile=distributed",
                ]
                .map { Data($0.utf8) }
            }
        ) { data in
            let text = String(decoding: data, as: UTF8.self)
            guard let address = try? DatabaseAddress(text) else { return }
            precondition(!address.description.isEmpty, "An address has no description.")
        },
    ]

    /// Imports lines into an empty store; all or none of them are in it then.
    private static func importing(_ data: Data, _ ending: String, entity: String?) {
        let (store, file) = (ScratchFile("Import.sqlite"), ScratchFile("rows.\(ending)"))
        do {
            try data.write(to: file.url)
            var options = StoreImport.Options()
            options.entity = entity
            options.skipsRefused = data.count % 2 == 0
            _ = try StoreImporter(store.url, model: SeedFiles.url("Ledger.xcdatamodel"))
                .run([file.url.path], options: options) { _ in }
        } catch {
            precondition(!error.localizedDescription.isEmpty, "An error has no message.")
        }
    }
}
