// More than there are processors: most tests wait for a server, some for a deadline.
[assembly: CollectionBehavior(MaxParallelThreads = 6)]
