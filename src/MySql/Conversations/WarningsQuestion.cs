using System.Globalization;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// SHOW WARNINGS after a command with warnings, while there is a listener. It uses an exchange of its own, because the command's exchange keeps its results.
/// </summary>
internal sealed class WarningsQuestion(SessionContext session, RowLimits limits) : Conversation
{
    private static readonly MySqlStatement ShowWarnings = new("SHOW WARNINGS");

    // The server keeps max_error_count warnings, 64 or 1024 by default. Of a longer list, the driver reads the first 1024.
    private const int MaxWarnings = 1024;

    private readonly CommandExchange _answers = new(session, session.State.Codecs, limits);
    private readonly List<(string Level, int Code, string Message)> _warnings = [];

    /// <summary>Gets the level, number and text of the last warnings.</summary>
    public IReadOnlyList<(string Level, int Code, string Message)> Warnings => _warnings;

    /// <summary>Appends the query.</summary>
    public void Begin()
    {
        _warnings.Clear();
        // A statement that was not scanned might commit the caller's transaction.
        ShowWarnings.Scan(session.State.Quoting);
        var at = session.Wire.Out.TotalLength;
        Query.Write(session.Wire.Out, "SHOW WARNINGS"u8);                                           // C: SHOW WARNINGS
        _answers.BeginQuery(ShowWarnings, session.Wire.Out.TotalLength - at, Goal.Rows, null, streams: false);
    }

    public override Step Advance(Wire wire)
    {
        // A refusal is not an error: the command itself has succeeded.
        while (_answers.Advance(wire) is var step && step != Step.Completed)
        {
            if (step == Step.Row)
                Take(_answers.Row);
            else if (step != Step.Metadata)
                return step;
        }

        if (!_answers.IsCompleted)
            throw new ProtocolException("one result in answer to SHOW WARNINGS", "another result");
        return Step.Completed;
    }

    private void Take(Row row)
    {
        try
        {
            if (_warnings.Count < MaxWarnings && int.TryParse(row.GetString(1), CultureInfo.InvariantCulture, out var code))
                _warnings.Add((ServerText.OneLine(row.GetString(0)), code, ServerText.Printable(row.GetString(2), Err.LongestMessage)));
        }
        catch (Exception exception) when (OwnAnswer.IsMisread(exception))
        {
            throw OwnAnswer.Misread("SHOW WARNINGS", exception);
        }
    }
}
