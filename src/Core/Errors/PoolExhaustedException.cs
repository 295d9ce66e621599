namespace Slipstream.Core.Errors;

/// <summary>
/// The exception for a pool without a free session in time. The provider's exception replaces it, so applications see it only as an inner exception.
/// </summary>
/// <param name="message">The message.</param>
public sealed class PoolExhaustedException(string message) : Exception(message);
