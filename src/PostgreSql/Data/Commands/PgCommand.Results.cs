using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Statements;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

// What few commands need: results as text, and the outcome of each statement.
public sealed partial class PgCommand
{
    // One field, because a command is created for every query.
    private Extras? _extras;

    /// <summary>
    /// Gets or sets whether all values of the results are read as the server's text, whatever their type is. <c>GetValue</c> then returns a String. Default:
    /// false.
    /// </summary>
    public bool AllResultTypesAreUnknown
    {
        get => _extras is { Unknown.All: true };
        set
        {
            if (value || _extras is not null)
                (_extras ??= new()).Unknown.All = value;
        }
    }

    /// <summary>
    /// Gets or sets, for each column of the first result, whether its values are read as the server's text, whatever their type is. It takes precedence over
    /// <see cref="AllResultTypesAreUnknown"/>. Columns that the list does not reach are read as usual. Default: null.
    /// </summary>
    public bool[]? UnknownResultTypeList
    {
        get => _extras?.Unknown.First;
        set
        {
            if (value is not null || _extras is not null)
                (_extras ??= new()).Unknown.First = value;
        }
    }

    /// <summary>
    /// Gets the statements of the text, each with its outcome in the last execution. Read it before the connection executes another command. Empty if the
    /// command has no connection.
    /// </summary>
    [Obsolete("Use a PgBatch instead of a text with several statements.")]
    public IReadOnlyList<PgBatchCommand> Statements => StatementList();

    /// <summary>Returns the statements of the text with their outcomes.</summary>
    internal IReadOnlyList<PgBatchCommand> StatementList()
    {
        if (Connection is not { } connection)
            return [];
        var statement = _encoder.Find(connection.PgSource, CommandText, CommandType);
        var extras = _extras ??= new();
        if (!ReferenceEquals(extras.Statement, statement))
        {
            extras.Statement = statement;
            extras.Statements = [.. statement.Parts.Select(static part => new PgBatchCommand(Encoding.UTF8.GetString(part.Sql)))];
        }

        if (ReferenceEquals(connection.LastCommand, this) && connection.SessionOrNull is PgSession session)
            TakeOutcomes(session.Results);
        return extras.Statements;
    }

    /// <inheritdoc/>
    internal override void Completed(ResultExchange exchange)
    {
        if (_extras is { Statements.Length: > 0 })
            TakeOutcomes(exchange);
    }

    private void TakeOutcomes(ResultExchange exchange)
    {
        var statements = _extras!.Statements;
        for (var i = 0; i < statements.Length; i++)
        {
            statements[i].Reset();
            if (i < exchange.Outcomes.Count)
                statements[i].Add(exchange.Outcomes[i]);
        }
    }

    private sealed class Extras
    {
        public UnknownColumns Unknown { get; } = new();

        public PgStatement? Statement { get; set; }

        public PgBatchCommand[] Statements { get; set; } = [];
    }
}
