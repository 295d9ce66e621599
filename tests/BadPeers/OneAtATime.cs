// What a bad peer makes the client allocate is measured for the whole process.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
