using Slipstream.Core.Conversations;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>The warnings of the last command. They are queried while the connection has a listener for them.</summary>
/// <param name="session">The session of the commands.</param>
internal sealed class LastWarnings(SessionContext session)
{
    // A warning is one line of text.
    private const long LongestWarning = 1 << 20;

    private readonly WarningsQuestion _question = new(session, new RowLimits(LongestWarning, LongestWarning));
    private bool _areAsked;

    /// <summary>Returns the query, whose bytes have been appended.</summary>
    public Conversation Ask()
    {
        _question.Begin();
        _areAsked = true;
        return _question;
    }

    /// <summary>Returns the answer to the last query once; null if no query was sent or no warning arrived.</summary>
    public IReadOnlyList<(string Level, int Code, string Message)>? Take()
    {
        var taken = _areAsked && _question.Warnings.Count > 0 ? _question.Warnings : null;
        _areAsked = false;
        return taken;
    }
}
