using System.Globalization;
using System.Text;
using Slipstream.Core.Causality;
using Slipstream.Core.Clusters;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Topology;
using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>
/// The roles of PostgreSQL servers. The epoch is the timeline. The name of the current WAL file begins with it, also right after a promotion;
/// pg_control_checkpoint() still returns the former timeline then. Source: PostgreSQL 18, 9.28 "System Administration Functions", 26.2.6 "Failover".
/// </summary>
internal sealed class PgRoleProbe : IRoleProbe
{
    private const int MaxRowBytes = 4096;
    private const int Columns = 7;

    // 100 years, in milliseconds. A longer lag says no more, and may be a lie.
    private const long LongestLag = 100L * 365 * 24 * 60 * 60 * 1000;

    // A standby does not state the timeline that it executes. What it has written to disk belongs to that timeline or an earlier one, which is enough: until
    // both are the same, the standby counts as one of the earlier timeline.
    private const string StandbyTimeline =
        "SELECT greatest(c.timeline_id, r.min_recovery_end_timeline) FROM pg_catalog.pg_control_checkpoint() AS c, pg_catalog.pg_control_recovery() AS r";

    // Pause between two looks of a standby at its own position, in seconds.
    private const string Pause = "0.002";

    // A standby that has replayed all it has received is up to date, however old its last transaction is. That is so only while it is connected.
    private const string Question = $$"""
        SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('default_transaction_read_only'),
         (SELECT system_identifier FROM pg_catalog.pg_control_system()),
         CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL ELSE pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()) END,
         CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_replay_lsn() ELSE pg_catalog.pg_current_wal_lsn() END,
         CASE WHEN NOT pg_catalog.pg_is_in_recovery() THEN NULL
          WHEN pg_catalog.pg_last_wal_receive_lsn() OPERATOR(pg_catalog.=) pg_catalog.pg_last_wal_replay_lsn()
           AND EXISTS (SELECT FROM pg_catalog.pg_stat_get_wal_receiver() AS receiver WHERE receiver.pid IS NOT NULL) THEN 0
          ELSE pg_catalog.floor(1000 OPERATOR(pg_catalog.*) pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()
           OPERATOR(pg_catalog.-) pg_catalog.pg_last_xact_replay_timestamp())) END,
         CASE WHEN pg_catalog.pg_is_in_recovery() THEN ({{StandbyTimeline}}) END
        """;

    // For users who may not call the functions above, and for servers that do not have them.
    private const string ShortQuestion = "SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('default_transaction_read_only')";

    /// <inheritdoc/>
    public RoleAnswer Ask(Session session)
    {
        var own = (PgSession)session;
        try
        {
            return Read(Run(own, own.IsAskedBriefly ? ShortQuestion : Question));
        }
        catch (ServerRefusedException refused) when (!own.IsBroken && !own.IsAskedBriefly && IsLasting(refused.Error))
        {
            own.IsAskedBriefly = true;
            return Read(Run(own, ShortQuestion));
        }
    }

    /// <inheritdoc/>
    public ProbeFailure FailureOf(ServerError error) => error.SqlState switch
    {
        "57P01" or "57P02" => ProbeFailure.Leaving,
        "57P03" => ProbeFailure.NotReady,
        // PgBouncer closes a connection with it, whatever the reason.
        _ when error.SqlState.StartsWith("08", StringComparison.Ordinal) => ProbeFailure.Lost,
        _ => ProbeFailure.Denied,
    };

    // Other errors, such as the end of a time limit or a conflict with the standby's recovery, say nothing about the next question.
    /// <inheritdoc/>
    public bool IsLasting(ServerError error) => error.SqlState is "42501" or "42883" or "42P01" or "42703" or "0A000";

    // An administrator may end a single session, with 57P01 too: only the monitor's own session shows whether the server is stopping.
    /// <inheritdoc/>
    public HostDoubt? DoubtOf(Session session, ServerError error) => error.SqlState switch
    {
        "25006" when ((PgSession)session).MayBeReplica => HostDoubt.NotPrimary,
        "57P01" or "57P02" or "57P03" => HostDoubt.Lost,
        _ => null,
    };

    /// <inheritdoc/>
    public bool IsReplicaAtLogin(Session session) => ((PgSession)session).IsStandby;

    /// <inheritdoc/>
    public PositionWait? CreateWait(Session session, LogPosition need, long milliseconds, WriterRule writers) => need is not TimelinePosition position
        ? null
        : new(
            new OneRowCommand((PgSession)session, ((PgSession)session).State, WaitFor(position, milliseconds), MaxRowBytes),
            static wait => ((OneRowCommand)wait).Row is [[(byte)'t']]);

    // The server looks at its position again and again. Only the row before decides whether it goes on, so that each look happens after a pause.
    private static string WaitFor(TimelinePosition position, long milliseconds)
    {
        var reached = $"coalesce(pg_catalog.pg_last_wal_replay_lsn() OPERATOR(pg_catalog.>=) '{position.Place}'::pg_catalog.pg_lsn, false)";
        return $"""
            WITH RECURSIVE looks(until, reached) AS (
             SELECT pg_catalog.clock_timestamp() OPERATOR(pg_catalog.+) '{milliseconds} ms'::pg_catalog.interval, {reached}
             UNION ALL SELECT until, {reached} FROM looks, LATERAL pg_catalog.pg_sleep(CASE WHEN reached THEN 0 ELSE {Pause} END) AS pause
             WHERE NOT reached AND pg_catalog.clock_timestamp() OPERATOR(pg_catalog.<) until)
            SELECT pg_catalog.bool_or(reached) AND pg_catalog.pg_is_in_recovery()
             AND ({StandbyTimeline}) OPERATOR(pg_catalog.=) {position.Timeline} AND {position.Cluster} OPERATOR(pg_catalog.=)
             (SELECT system_identifier FROM pg_catalog.pg_control_system()) FROM looks
            """;
    }

    private static byte[]?[] Run(PgSession session, string question)
    {
        var command = new OneRowCommand(session, session.State, question, MaxRowBytes);
        BlockingPump.Run(new StandaloneExchange(session, command), session.Wire);
        if (command.Error is { } error)
            throw new ServerRefusedException(error);
        return command.Row ?? [];
    }

    // A server that answers with anything else has no role that the driver knows.
    private static RoleAnswer Read(byte[]?[] row)
    {
        if (row.Length is not (2 or Columns) || Bool(row[0]) is not { } isInRecovery || row[1] is null)
            return new(HostRole.Unknown);
        var cluster = row.Length == Columns ? Text(row[2]) : null;
        var place = row.Length == Columns ? Text(row[4]) : null;
        return new(isInRecovery ? HostRole.Replica : HostRole.Primary)
        {
            IsReadOnlyByDefault = !isInRecovery && Text(row[1]) == "on",
            Cluster = cluster,
            Lineage = cluster,
            Epoch = row.Length == Columns ? Timeline(Text(row[3])) : 0,
            Position = place,
            Executed = place is null ? null : TimelinePosition.Read(cluster, Text(row[6]), NumberStyles.None, place),
            Lag = row.Length == Columns && long.TryParse(Text(row[5]), NumberStyles.Integer, CultureInfo.InvariantCulture, out var lag)
                ? Math.Clamp(lag, 0, LongestLag)
                : null,
        };
    }

    private static bool? Bool(byte[]? value) => value is [(byte)'t'] ? true : value is [(byte)'f'] ? false : null;

    private static string? Text(byte[]? value) => value is null ? null : Encoding.UTF8.GetString(value);

    private static long Timeline(string? file) => file is { Length: >= 8 }
        && uint.TryParse(file.AsSpan(0, 8), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var timeline) ? timeline : 0;
}
