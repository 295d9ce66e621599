// More than there are processors: the tests outside the collection Alone wait for deadlines of one or two seconds.
[assembly: CollectionBehavior(MaxParallelThreads = 16)]

namespace Slipstream.BadPeers;

/// <summary>The name of the collection of tests that are short, and run one after the other beside all others.</summary>
internal static class SideBySide;
