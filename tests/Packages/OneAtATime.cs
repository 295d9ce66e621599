// Each test builds or publishes, and uses all processors for it.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
