namespace Slipstream.BadPeers;

/// <summary>
/// Tests that run one after the other, after all others, because they measure how much memory the client allocates in the whole process. The other tests mostly
/// wait for a deadline, so they run in parallel, each class in its own collection.
/// </summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
