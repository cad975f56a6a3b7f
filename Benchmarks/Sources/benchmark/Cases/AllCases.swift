// The cases in the order of the table.

var allCases: [BenchmarkCase] {
    let families: [[BenchmarkCase]] = [
        FetchRead.cases, InsertSave.cases, UpdateSave.cases, DeleteSave.cases, Cascade.cases, FaultByID.cases,
        FetchOne.cases, FindOrCreate.cases, Count.cases, WalkToMany.cases, WalkToOne.cases, TextSearch.cases,
        TextSort.cases, FirstPage.cases, ControllerFetch.cases, ControllerChange.cases, SaveOne.cases,
        Dictionaries.cases, Evaluate.cases, Merge.cases, Pairs.cases, BatchInsert.cases, BatchUpdate.cases,
        BatchDelete.cases, History.cases, Undo.cases, Open.cases, Import.cases, AddColumn.cases, ReadDuringSave.cases,
        TwoReaders.cases, Memory.cases,
    ]
    return families.flatMap { $0 }
}
