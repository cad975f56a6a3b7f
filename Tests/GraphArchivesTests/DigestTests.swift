// Compares digests with published ones.
import ExpectationSupport
import GraphArchives
import Testing

struct DigestTests {
    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    @Test func sha256GivesThePublishedDigests() {
        expectEqual(
            hex(SHA256.digest(Array("abc".utf8))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        expectEqual(hex(SHA256.digest([])), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        expectEqual(
            hex(SHA256.digest(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        )
        expectEqual(
            hex(SHA256.digest([UInt8](repeating: 0x61, count: 1_000_000))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    @Test func sha512GivesThePublishedDigests() {
        expectEqual(
            hex(SHA512.digest(Array("abc".utf8))),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        )
        expectEqual(
            hex(SHA512.digest([])),
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        )
        expectEqual(
            hex(SHA512.digest([UInt8](repeating: 0x61, count: 1_000_000))),
            "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
        )
    }

    /// The length takes 16 bytes, so that 112 bytes and more of a block leave no room for it.
    @Test func sha512PadsAMessageThatAlmostFillsABlock() {
        let digests = [
            111: "fa9121c7b32b9e01733d034cfc78cbf67f926c7ed83e82200ef8681819692176"
                + "0b4beff48404df811b953828274461673c68d04e297b0eb7b2b4d60fc6b566a2",
            112: "c01d080efd492776a1c43bd23dd99d0a2e626d481e16782e75d54c2503b5dc32"
                + "bd05f0f1ba33e568b88fd2d970929b719ecbb152f58f130a407c8830604b70ca",
            119: "130396a75cb483f2eee8c56d8a668bb3d2641f5243212c0bee2bd33da096ad9e"
                + "b8179fe18f9eaacf76e09fae9de4c3f14ba13341e345be05bf76c182cc3468cb",
            120: "f241de612b01aa2fa3cf01531d2a8e5e17fc761dfd48a704a834a47f57d6eade"
                + "7804ecc39be42fdef16ec6adeaf7c01c2fd0c4cc97d3860907cfa4a3b36d0c05",
        ]
        for (length, digest) in digests {
            expectEqual(hex(SHA512.digest([UInt8](repeating: 0x61, count: length))), digest, "\(length) bytes")
        }
    }

    @Test func digestsOfEveryLengthAroundABlockDiffer() {
        // Wrong padding gives two lengths the same digest, or reads past the end.
        let lengths = 0...260
        expectEqual(Set(lengths.map { hex(SHA256.digest([UInt8](repeating: 0, count: $0))) }).count, lengths.count)
        expectEqual(Set(lengths.map { hex(SHA512.digest([UInt8](repeating: 0, count: $0))) }).count, lengths.count)
    }
}
