namespace Slipstream.Core.Errors;

/// <summary>Whether a failed operation may be repeated without doing its work twice.</summary>
public enum RetrySafety
{
    /// <summary>The server answered with an error, which describes the effect of the operation.</summary>
    NotApplicable,

    /// <summary>
    /// The operation did not run: nothing of it reached the server, or the server refused it, as one that is not the primary or is not ready. Repeating it is
    /// safe.
    /// </summary>
    NotSent,

    /// <summary>The operation was sent, but its answer never came. The server may or may not have done the work.</summary>
    Unknown,

    /// <summary>
    /// The transaction of the operation was certainly rolled back, with everything that it had done before: its connection was lost before COMMIT was sent, or
    /// the server has answered that it rolled the transaction back. Repeating the whole transaction is safe.
    /// </summary>
    RolledBack,
}
