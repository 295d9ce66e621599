namespace Slipstream.Core.Errors;

/// <summary>No pooled session became free in time. The public shell makes the provider's exception of it.</summary>
public sealed class PoolExhaustedException(string message) : Exception(message);
