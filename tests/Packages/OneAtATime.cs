// Each test builds or publishes, and uses all processors for it.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
// The packages are made once for all tests.
[assembly: AssemblyFixture(typeof(Slipstream.Packages.Tests.PackedSources))]
