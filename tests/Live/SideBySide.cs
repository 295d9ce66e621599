using System.Runtime.CompilerServices;

// More than there are processors: most tests wait for a server, some for a deadline.
[assembly: CollectionBehavior(MaxParallelThreads = 6)]

namespace Slipstream.Live;

/// <summary>Threads for waiting tests: the thread pool of a machine with two processors would add only one each half second.</summary>
internal static class SideBySide
{
    // CA2255: the threads must be there before the first test.
#pragma warning disable CA2255
    [ModuleInitializer]
    internal static void Prepare() => ThreadPool.SetMinThreads(16, 16);
#pragma warning restore CA2255
}
