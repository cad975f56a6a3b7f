// The functions of texts. Their tables are those of the properties of Unicode that Swift has, so that their results are
// those of TextFolding, the evaluator's functions and WildcardPattern.
import Foundation
import GraphPredicates

extension PostgreSQLFunctions {
    var texts: [String] {
        let tables = UnicodeTables.shared
        return [
            fold("fold", tables.foldedLetters, marks: tables.marksButCased.pattern),
            fold("fold_case", tables.foldedLetters, marks: nil),
            fold("fold_accents", nil, marks: tables.marks.pattern),
            mapping("upper", tables.uppercase),
            mapping("lower", tables.lowercase),
            // UTF-16 has two units for a character above U+FFFF.
            function(
                "length",
                "x text",
                returns: "integer",
                """
                IF octet_length(x) = length(x) OR x COLLATE "C" !~ '[\\U00010000-\\U0010ffff]' THEN RETURN length(x); END IF;
                RETURN length(x) + length(regexp_replace(x COLLATE "C", '[^\\U00010000-\\U0010ffff]', '', 'g'));
                """
            ),
            function(
                "characters",
                "x text",
                returns: "text[]",
                "RETURN ARRAY(SELECT normalize(part.parts[1], NFD) FROM regexp_matches(x COLLATE \"C\", "
                    + "\(quoted(tables.characters.pattern)), 'g') AS part(parts));"
            ),
            like(tables), pattern,
        ]
    }

    private func quoted(_ text: String) -> String { PostgreSQLDialect.quoted(text) }

    /// Decomposes a text, folds its letters, removes its marks and composes it.
    private func fold(_ name: String, _ letters: LetterMapping?, marks: String?) -> String {
        var steps = [
            "IF octet_length(x) = length(x) THEN RETURN \(letters == nil ? "x" : "lower(x COLLATE \"C\")"); END IF;"
        ]
        steps.append("y := normalize(x, NFD);")
        if let marks { steps.append("y := regexp_replace(y, \(quoted("[\(marks)]")), '', 'g');") }
        if let letters {
            steps.append("y := lower(y);")
            steps.append("IF octet_length(y) = length(y) THEN RETURN y; END IF;")
            steps += self.steps(letters)
        }
        steps.append("RETURN normalize(y, NFC);")
        return function(
            name,
            "x text",
            returns: "text",
            variables: ["y text COLLATE \"C\""],
            steps.joined(separator: "\n")
        )
    }

    /// Gives each letter another one.
    private func mapping(_ name: String, _ letters: LetterMapping) -> String {
        let steps = [
            "y := \(name)(x COLLATE \"C\");", "IF octet_length(y) = length(y) THEN RETURN y; END IF;",
        ]
        return function(
            name,
            "x text",
            returns: "text",
            variables: ["y text COLLATE \"C\""],
            (steps + self.steps(letters) + ["RETURN y;"]).joined(separator: "\n")
        )
    }

    /// Maps the letters of `y` above ASCII.
    private func steps(_ letters: LetterMapping) -> [String] {
        let longer = letters.longer.reduce("y") { "replace(\($0), \(quoted($1.letter)), \(quoted($1.mapped)))" }
        return [
            "IF y ~ \(quoted("[\(letters.from.ranges)]")) THEN",
            "    y := translate(y, \(quoted(letters.from)), \(quoted(letters.to)));", "END IF;",
            "IF y ~ \(quoted("[\(letters.longer.map(\.letter).joined().ranges)]")) THEN", "    y := \(longer);",
            "END IF;",
        ]
    }

    /// LIKE over the characters that people see, of which some have several scalars.
    private func like(_ tables: UnicodeTables) -> String {
        let isPlain = { (name: String) in
            "(octet_length(\(name)) = length(\(name)) AND strpos(\(name), chr(13)) = 0"
                + " OR \(name) COLLATE \"C\" !~ \(self.quoted("[^\(tables.plain.pattern)]")))"
        }
        return function(
            "like",
            "x text, p text",
            returns: "boolean",
            variables: [
                "c text[]", "e text[] := '{}'", "k integer[] := '{}'", "part text", "escaped boolean := FALSE",
                "i integer := 1", "j integer := 1", "star integer := 0", "retry integer := 0",
            ],
            """
            IF \(isPlain("x")) AND \(isPlain("p")) THEN RETURN x COLLATE "C" LIKE p; END IF;
            FOREACH part IN ARRAY \(name("characters"))(p) LOOP
                IF escaped THEN
                    e := e || part; k := k || 0; escaped := FALSE;
                ELSIF part = '\\' THEN escaped := TRUE;
                ELSIF part = '%' THEN e := e || part; k := k || 2;
                ELSIF part = '_' THEN e := e || part; k := k || 1;
                ELSE e := e || part; k := k || 0;
                END IF;
            END LOOP;
            c := \(name("characters"))(x);
            WHILE i <= cardinality(c) LOOP
                IF j <= cardinality(e) AND k[j] = 2 THEN
                    j := j + 1; star := j; retry := i;
                ELSIF j <= cardinality(e) AND (k[j] = 1 OR e[j] = c[i]) THEN
                    j := j + 1; i := i + 1;
                ELSIF star > 0 THEN
                    retry := retry + 1; j := star; i := retry;
                ELSE
                    RETURN FALSE;
                END IF;
            END LOOP;
            WHILE j <= cardinality(e) AND k[j] = 2 LOOP j := j + 1; END LOOP;
            RETURN j > cardinality(e);
            """
        )
    }

    /// A computed pattern of the language in the form of LIKE.
    private var pattern: String {
        function(
            "pattern",
            "p text",
            returns: "text",
            variables: [
                "part text", "result text := ''", "escaped boolean := FALSE",
            ],
            """
            FOREACH part IN ARRAY \(name("characters"))(p) LOOP
                IF escaped OR part NOT IN ('\\', '*', '?') THEN
                    result := result || CASE WHEN part IN ('\\', '%', '_') THEN '\\' ELSE '' END || part;
                    escaped := FALSE;
                ELSIF part = '\\' THEN escaped := TRUE;
                ELSE result := result || CASE part WHEN '*' THEN '%' ELSE '_' END;
                END IF;
            END LOOP;
            RETURN result || CASE WHEN escaped THEN '\\\\' ELSE '' END;
            """
        )
    }
}
