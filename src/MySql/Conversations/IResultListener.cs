using Slipstream.Core.Conversations;

namespace Slipstream.MySql.Conversations;

/// <summary>Is notified of the end of each result of an exchange.</summary>
internal interface IResultListener
{
    /// <summary>Handles the end of a result.</summary>
    /// <param name="outcome">A result set whose rows have all arrived, or an OK.</param>
    void ResultEnded(in StatementOutcome outcome);
}
