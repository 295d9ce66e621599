using Slipstream.Core.Conversations;
using Slipstream.MySql.Conversations;

namespace Slipstream.MySql.Sessions;

/// <content>The warnings of the last command, asked for while somebody listens.</content>
internal sealed partial class MySqlSession
{
    // A warning is a line of text.
    private const long LongestWarning = 1 << 20;

    private WarningsQuestion? _question;
    private bool _hasMessages;

    protected override Conversation? CreateTrailer()
    {
        if (Results.Warnings == 0)
            return null;
        _question ??= new WarningsQuestion(Context, new RowLimits(LongestWarning, LongestWarning));
        _question.Begin();
        _hasMessages = true;
        return _question;
    }

    /// <summary>What the command that has just ended was warned of, once; null when nothing.</summary>
    public IReadOnlyList<(string Level, int Code, string Message)>? TakeMessages()
    {
        if (!_hasMessages)
            return null;
        _hasMessages = false;
        return _question is { Warnings.Count: > 0 } ? _question.Warnings : null;
    }
}
