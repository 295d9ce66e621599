using System.Runtime.CompilerServices;

namespace Slipstream.Testing;

/// <summary>
/// Threads for waiting tests that run side by side, more than there are processors: the thread pool of a machine with two processors would add only one each
/// half second.
/// </summary>
internal static class WaitingThreads
{
    // CA2255: the threads must be there before the first test.
#pragma warning disable CA2255
    [ModuleInitializer]
    internal static void Prepare() => ThreadPool.SetMinThreads(32, 32);
#pragma warning restore CA2255
}
