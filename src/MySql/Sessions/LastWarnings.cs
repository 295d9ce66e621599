using Slipstream.Core.Conversations;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>The warnings of the last command, asked for while somebody listens.</summary>
/// <param name="session">Whose commands are warned of.</param>
internal sealed class LastWarnings(SessionContext session)
{
    // A warning is a line of text.
    private const long LongestWarning = 1 << 20;

    private readonly WarningsQuestion _question = new(session, new RowLimits(LongestWarning, LongestWarning));
    private bool _areAsked;

    /// <summary>The question, whose bytes have been appended.</summary>
    public Conversation Ask()
    {
        _question.Begin();
        _areAsked = true;
        return _question;
    }

    /// <summary>The answer to the last question, once; null when nothing was asked, or came.</summary>
    public IReadOnlyList<(string Level, int Code, string Message)>? Take()
    {
        var taken = _areAsked && _question.Warnings.Count > 0 ? _question.Warnings : null;
        _areAsked = false;
        return taken;
    }
}
