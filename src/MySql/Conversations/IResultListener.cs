namespace Slipstream.MySql.Conversations;

/// <summary>Is notified of the end of each result of an exchange.</summary>
internal interface IResultListener
{
    /// <summary>Handles the end of a result.</summary>
    /// <param name="withRows">True for a result set whose rows have all arrived; false for an OK.</param>
    /// <param name="affected">The number of changed rows.</param>
    void ResultEnded(bool withRows, long affected);
}
