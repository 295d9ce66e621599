namespace Slipstream.Core.Errors;

/// <summary>Whether the operation that failed may be repeated without doing its work twice.</summary>
public enum RetrySafety
{
    /// <summary>The server answered with an error: what it did is described by that error.</summary>
    NotApplicable,

    /// <summary>Nothing of the operation reached the server: repeating it is safe.</summary>
    NotSent,

    /// <summary>The operation was sent and its answer never came: the server may or may not have done the work.</summary>
    Unknown,
}
