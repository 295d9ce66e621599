using System.Globalization;
using System.Text;
using Slipstream.Core.Causality;
using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Asks for the position in the log after a commit. The record of a commit is inserted before the server answers, so that the place where the next record will
/// be inserted is after it, also with synchronous_commit=off. Source: PostgreSQL 18, 9.28.3 "Backup Control Functions".
/// </summary>
/// <param name="session">Gets notices.</param>
/// <param name="state">Gets what the answer shows about the server's state.</param>
/// <param name="writes">Gets the position.</param>
internal sealed class WriteQuestion(ISessionHost session, ServerState state, WriteTracking writes) : SimpleExchange
{
    private const int MaxRowBytes = 4096;
    private const int TimelineDigits = 8;

    // The name of a file of the log begins with the timeline. A standby has no such place, and nothing was written.
    private const string Question = """
        SELECT (SELECT system_identifier FROM pg_catalog.pg_control_system()), pg_catalog.pg_walfile_name(place), place
        FROM (SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL ELSE pg_catalog.pg_current_wal_insert_lsn() END AS place) AS written
        """;

    private readonly OneRowCommand _command = new(session, state, Question, MaxRowBytes);

    public override string Description => "the question for the position of a write";

    public override void Encode(Wire wire) => _command.Encode(wire);

    public override Step Advance(Wire wire)
    {
        var step = _command.Advance(wire);
        if (step != Step.Completed)
            return step;
        if (_command.Error is null && _command.Row is [_, null, null])
            writes.WroteNothing();
        else if (_command.Error is null && Read(_command.Row) is { } position)
            writes.Wrote(position);
        else
            writes.MayHaveWritten();
        return step;
    }

    private static TimelinePosition? Read(byte[]?[]? row) => row is [{ } cluster, { Length: >= TimelineDigits } file, { } place]
        ? TimelinePosition.Read(
            Encoding.ASCII.GetString(cluster), Encoding.ASCII.GetString(file, 0, TimelineDigits), NumberStyles.AllowHexSpecifier,
            Encoding.ASCII.GetString(place))
        : null;
}
