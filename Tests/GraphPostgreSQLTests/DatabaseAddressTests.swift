import ExpectationSupport
import GraphPostgreSQL
import Testing

struct DatabaseAddressTests {
    @Test("The driver's own parameters are read, and the rest is left to libpq")
    func parameters() throws {
        let address = try DatabaseAddress(
            "postgres://ann:pw@db1:5433,db2/shop?sslmode=require&schema=big%20one&pool=3&timeout=1.5&readers=a:1,b"
        )
        expectEqual(address.schema, "big one")
        expectEqual(address.poolSize, 3)
        expectEqual(address.timeout, .milliseconds(1_500))
        expectEqual(address.parameters["readers"], "a:1,b")
        expectEqual(address.description, "postgresql://ann@db1:5433,db2/shop?schema=big one")
        expectEqual(
            address.readers.map(\.description),
            [
                "postgresql://ann@a:1/shop?schema=big one", "postgresql://ann@b:5432/shop?schema=big one",
            ]
        )
        expectEqual(address.withDatabase("other").description, "postgresql://ann@db1:5433,db2/other?schema=big one")
    }

    @Test("Without parameters an address has defaults")
    func defaults() throws {
        let address = try DatabaseAddress("postgresql:///shop")
        expectEqual(address.schema, "public")
        expectEqual(address.poolSize, 16)
        expectEqual(address.timeout, .seconds(30))
        #expect(address.readers.isEmpty)
    }

    @Test(
        "No text about an address contains its password",
        arguments: [
            "postgresql://u:hunter2@h/d", "postgresql://u@h/d?password=hunter2", "postgresql://u:hunter2@h:x/d",
            "postgresql://u:hunter2@h/d?nothing=1", "postgresql://u:hunter2%zz@h/d", "postgresql://u:hunter2@[::1/d",
            "postgresql://u:hunter2@h/d?sslmode", "mysql://u:hunter2@h/d", "postgresql://u:hunter2@h/d?pool=0",
            "postgresql://u:hunter2@h/d?schema=", "postgresql://u:hunter2@127.0.0.1:1/d",
        ]
    )
    func passwords(text: String) {
        do {
            let address = try DatabaseAddress(text)
            #expect(!"\(address)".contains("hunter2"))
            #expect(!String(reflecting: address).contains("hunter2"))
            var dumped = ""
            dump(address, to: &dumped)
            #expect(!dumped.contains("hunter2"))
        } catch {
            #expect(!"\(error)".contains("hunter2"))
            #expect("\(error)".contains("the address of the database cannot be read"))
        }
    }

    @Test("An unknown parameter is an error that names those that exist")
    func unknownParameter() throws {
        let error = try #require(postgreSQLError { _ = try DatabaseAddress("postgresql://h/d?poool=3") })
        #expect(error.message.contains("there is no parameter poool"))
        #expect(error.message.contains("schema, pool, timeout, readers"))
        #expect(error.message.contains("sslmode"))
        expectEqual(error.kind, .cannotConnect)
    }
}
