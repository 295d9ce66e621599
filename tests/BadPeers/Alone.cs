namespace Slipstream.BadPeers;

/// <summary>
/// Tests that run one after the other, behind all others: what a bad peer makes the client allocate is measured for the whole process. The rest, which do little
/// but wait for a deadline, wait side by side, each class in a collection of its own.
/// </summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
