using System.Runtime.CompilerServices;

// More than there are processors: the tests outside the collection Alone wait for deadlines of one or two seconds.
[assembly: CollectionBehavior(MaxParallelThreads = 16)]

namespace Slipstream.BadPeers;

/// <summary>Threads for waiting tests: the thread pool of a machine with two processors would add only one each half second.</summary>
internal static class SideBySide
{
    // CA2255: the threads must be there before the first test.
#pragma warning disable CA2255
    [ModuleInitializer]
    internal static void Prepare() => ThreadPool.SetMinThreads(32, 32);
#pragma warning restore CA2255
}
