// The forms in which a constant of a fetch is bound.
import GraphPredicates

/// The form in which a constant is bound for the column with which it is compared.
enum BindingForm: Hashable, Sendable {
    case value(StorageClass)
    /// A text, folded.
    case folded(ComparisonOptions)
    /// A text as the dialect compares it.
    case pattern(TextComparison, ComparisonOptions)
    /// The smallest value that sorts after every text that begins with the constant, folded.
    case prefixEnd(ComparisonOptions)
    /// One element of a constant collection; past its end, the last one.
    case element(Int, StorageClass)
    /// A constant collection as one value.
    case list(StorageClass)
    /// The same of texts, folded.
    case foldedList(ComparisonOptions)
}
