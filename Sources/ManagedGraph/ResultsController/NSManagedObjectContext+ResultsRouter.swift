// The router of a context. Asked by trackers when they begin to follow it.

extension NSManagedObjectContext {
    /// The results controllers that follow the context, to be entered or asked.
    final var resultsRouter: ResultsRouter {
        if let router = follower as? ResultsRouter { return router }
        let router = ResultsRouter(self)
        follower = router
        return router
    }
}
