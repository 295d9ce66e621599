using System.Runtime.CompilerServices;

// More than there are processors: the tests that are not alone wait for deadlines of a second or two.
[assembly: CollectionBehavior(MaxParallelThreads = 16)]

namespace Slipstream.BadPeers;

/// <summary>Threads for what waits: the pool of a machine with two processors would give it one more each half second.</summary>
internal static class SideBySide
{
    // CA2255: the threads must be there before the first test.
#pragma warning disable CA2255
    [ModuleInitializer]
    internal static void Prepare() => ThreadPool.SetMinThreads(32, 32);
#pragma warning restore CA2255
}
