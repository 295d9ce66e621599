namespace Slipstream.MySql.Conversations;

/// <summary>Hears of the end of each result of an exchange.</summary>
internal interface IResultListener
{
    /// <param name="withRows">True for a result set, whose rows have all come; false for an OK.</param>
    /// <param name="affected">Rows changed.</param>
    void ResultEnded(bool withRows, long affected);
}
