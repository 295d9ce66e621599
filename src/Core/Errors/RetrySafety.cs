namespace Slipstream.Core.Errors;

/// <summary>Whether a failed operation may be repeated without doing its work twice.</summary>
public enum RetrySafety
{
    /// <summary>The server answered with an error, which describes the effect of the operation.</summary>
    NotApplicable,

    /// <summary>Nothing of the operation reached the server. Repeating it is safe.</summary>
    NotSent,

    /// <summary>The operation was sent, but its answer never came. The server may or may not have done the work.</summary>
    Unknown,
}
