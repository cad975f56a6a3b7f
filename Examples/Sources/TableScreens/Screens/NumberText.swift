// A parser for numbers as people write them. Called by Action; works on values only.
import Foundation

enum NumberText {
    /// Returns the number in a text, or nil.
    ///
    /// The reader's notation takes precedence: if the locale groups by points, "1.500" is 1500. Otherwise comma and
    /// point both separate decimals, so that "1,5" and "1.5" are one and a half in every locale. In a locale that groups
    /// by spaces, "1,500" is one and a half as well. Digits may be of any script; exponents, "nan" and "inf" are rejected.
    static func number(_ text: String, locale: Locale) -> Double? {
        var plain = ""
        for character in text.trimmingCharacters(in: .whitespacesAndNewlines) {
            switch character {
            case "-", "\u{2212}": plain.append("-")
            case ".", ",": plain.append(character)
            case "\u{66B}": plain.append(locale.groupingSeparator == "," ? "." : ",")
            case " ", "'", "’", "\u{A0}", "\u{202F}", "\u{66C}": continue
            default:
                guard let digit = character.wholeNumberValue, (0...9).contains(digit), character.isNumber else {
                    return nil
                }
                plain += String(digit)
            }
        }
        let isNegative = plain.hasPrefix("-")
        if isNegative { plain.removeFirst() }
        guard plain.count <= 40, plain.contains(where: \.isNumber), !plain.contains("-"),
            let digits = ungrouped(plain, grouping: locale.groupingSeparator)
        else { return nil }
        return Double((isNegative ? "-" : "") + digits)
    }

    /// Returns the digits with a decimal point; nil if the separators are inconsistent.
    private static func ungrouped(_ text: String, grouping: String?) -> String? {
        for separator in [",", "."] as [Character] {
            let decimal: Character = separator == "," ? "." : ","
            let halves = text.split(separator: decimal, maxSplits: 1, omittingEmptySubsequences: false)
            let whole = halves[0].split(separator: separator, omittingEmptySubsequences: false)
            let decimals = halves.count > 1 ? halves[1] : ""
            guard whole.count > 1, let first = whole.first, (1...3).contains(first.count), first != "0",
                whole.dropFirst().allSatisfy({ $0.count == 3 }), decimals.allSatisfy(\.isNumber),
                // A single group by any other separator is more likely a decimal: "1,125" if points or spaces group.
                String(separator) == grouping || whole.count > 2 || halves.count > 1
            else { continue }
            return whole.joined() + "." + (decimals.isEmpty ? "0" : decimals)
        }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        guard parts.count <= 2 else { return nil }
        let whole = parts[0].isEmpty ? "0" : String(parts[0])
        return parts.count == 2 && !parts[1].isEmpty ? "\(whole).\(parts[1])" : whole
    }
}
