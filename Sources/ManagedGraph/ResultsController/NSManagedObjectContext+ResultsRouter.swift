// The router of a context. Requested by trackers when they begin to follow the context.

extension NSManagedObjectContext {
    /// The router of the results controllers that follow the context, created on first use.
    final var resultsRouter: ResultsRouter {
        if let router = follower as? ResultsRouter { return router }
        let router = ResultsRouter(self)
        follower = router
        return router
    }
}
