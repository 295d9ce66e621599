using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Tool.Connections;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Doctor;

/// <summary>All checks of one connection, in the order in which they are printed.</summary>
internal sealed class DoctorRun(Patient patient, Terminal terminal)
{
    private readonly List<Check> _checks = [];

    public IReadOnlyList<Check> Checks => _checks;

    /// <summary>Runs the checks.</summary>
    /// <param name="samples">How many round trips are measured.</param>
    /// <param name="writes">Whether a table may be created, to measure a commit.</param>
    /// <param name="cancellationToken">Ends the run.</param>
    public async Task RunAsync(int samples, bool writes, CancellationToken cancellationToken)
    {
        if (patient.Target.Provider == Provider.MySql)
            await MySqlAsync(cancellationToken);
        else
            await PostgreSqlAsync(cancellationToken);
        terminal.Progress("Measuring …");
        var roundTrips = await OrProblemAsync("round-trips", Measurements.RoundTripsAsync, cancellationToken);
        _checks.AddRange(await TlsChecks.RunAsync(patient, cancellationToken));
        _checks.Add(await Measurements.LatencyAsync(patient, samples, cancellationToken));
        _checks.Add(await OrProblemAsync("connect", Measurements.ConnectAsync, cancellationToken));
        _checks.Add(roundTrips);
        if (writes)
            _checks.Add(await CommitTime.RunAsync(patient, cancellationToken));
        // After the measurements: the driver has used its connections by then, and logged what it noticed.
        _checks.AddRange(await ProxyChecks.RunAsync(patient, cancellationToken));
        _checks.AddRange(OptionChecks.Of(patient.Target));
    }

    // The examined connection stays of use if the server, or a limit of the account, refuses a further one.
    private async Task<Check> OrProblemAsync(string id, Func<Patient, CancellationToken, Task<Check>> measure, CancellationToken cancellationToken)
    {
        try
        {
            return await measure(patient, cancellationToken);
        }
        catch (DbException exception) when (patient.Connection.State == ConnectionState.Open)
        {
            return Check.Problem(
                id, $"A further connection failed: {exception.Message.ReplaceLineEndings(" ")}", "A pool needs several connections: find out what limits them.",
                    "connection-pooling.md#size-and-lifetime");
        }
    }

    private async Task MySqlAsync(CancellationToken cancellationToken)
    {
        var version = patient.Connection.ServerVersion;
        var isMariaDb = version.Contains("MariaDB", StringComparison.OrdinalIgnoreCase);
        var comment = await patient.ScalarAsync("SELECT @@version_comment", cancellationToken) ?? "";
        // Percona Server and others name themselves only in the comment.
        var named = comment.Contains("percona", StringComparison.OrdinalIgnoreCase) ? $"{version} {comment}" : version;
        var variables = await patient.PairsAsync("SHOW GLOBAL VARIABLES", cancellationToken);
        var status = await patient.PairsAsync("SHOW GLOBAL STATUS", cancellationToken);
        var options = patient.Target.MySql;
        _checks.Add(MySqlChecks.Server(named, isMariaDb));
        _checks.Add(await MySqlChecks.AuthenticationAsync(patient, cancellationToken));
        _checks.Add(MySqlChecks.PoolSize(options, variables, status,
            Int(await patient.ScalarAsync("SELECT @@session.max_user_connections", cancellationToken))));
        _checks.Add(MySqlChecks.Idle(options, variables));
        _checks.Add(MySqlChecks.Statements(variables, status));
        _checks.Add(MySqlChecks.BulkCopy(options, variables));
        _checks.Add(MySqlChecks.Privileges(await patient.ColumnAsync("SHOW GRANTS", cancellationToken), patient.Connection.Database, isMariaDb));
        _checks.AddRange(MySqlSettings.Of(
            variables, status, await patient.ScalarAsync("SELECT @@session.sql_mode", cancellationToken) ?? "",
            await patient.ScalarAsync("SELECT @@session.autocommit", cancellationToken) is not "0"));
    }

    private async Task PostgreSqlAsync(CancellationToken cancellationToken)
    {
        var settings = await patient.PairsAsync("SELECT name, setting FROM pg_settings", cancellationToken);
        var options = patient.Target.PostgreSql;
        _checks.Add(PgChecks.Server(patient.Connection.ServerVersion, await patient.ScalarAsync("SELECT version()", cancellationToken)));
        _checks.Add(await PgChecks.AuthenticationAsync(patient, cancellationToken));
        _checks.Add(PgChecks.PoolSize(
            options, settings,
            Long(await patient.ScalarAsync("SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user", cancellationToken)),
            Long(await patient.ScalarAsync("SELECT datconnlimit FROM pg_database WHERE datname = current_database()", cancellationToken)),
            Long(await patient.ScalarAsync("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'", cancellationToken))));
        _checks.Add(PgChecks.Idle(options, settings));
        _checks.Add(PgChecks.Privileges(
            await patient.ScalarAsync("SHOW is_superuser", cancellationToken) == "on",
            await patient.ScalarAsync("SELECT has_database_privilege(current_database(), 'TEMPORARY')::text", cancellationToken) == "true",
            await patient.ScalarAsync("SELECT has_table_privilege('pg_catalog.pg_type', 'SELECT')::text", cancellationToken) == "true"));
        _checks.AddRange(PgChecks.Settings(settings, options));
        _checks.Add(await PgChecks.JitAsync(patient, settings, cancellationToken));
    }

    private static int? Int(string? text) => int.TryParse(text, CultureInfo.InvariantCulture, out var number) ? number : null;

    private static long? Long(string? text) => long.TryParse(text, CultureInfo.InvariantCulture, out var number) ? number : null;
}
