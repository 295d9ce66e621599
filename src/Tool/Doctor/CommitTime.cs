using System.Data.Common;
using System.Diagnostics;
using System.Security.Cryptography;
using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Doctor;

/// <summary>Measures a COMMIT with one row, in a table of its own that is dropped afterwards. Only <c>--write</c> does this.</summary>
internal static class CommitTime
{
    private const string Id = "commit";
    private const string Docs = "tool.md#commit";
    private const int WarmUp = 2;
    private const int Commits = 15;
    private const double Slow = 10;

    public static async Task<Check> RunAsync(Patient patient, CancellationToken cancellationToken)
    {
        var table = "slipstream_doctor_" + RandomNumberGenerator.GetHexString(12, lowercase: true);
        try
        {
            await ExecuteAsync(
                patient, $"CREATE TABLE {table} (id INT NOT NULL PRIMARY KEY)" + (patient.Target.Provider == Provider.MySql ? " ENGINE=InnoDB" : ""),
                    cancellationToken);
        }
        catch (DbException exception) when (patient.Connection.State == System.Data.ConnectionState.Open)
        {
            return Check.Unknown(Id, $"No table could be created to measure a commit ({exception.SqlState})", Docs);
        }

        try
        {
            var times = new List<double>();
            for (var i = -WarmUp; i < Commits; i++)
            {
                await using var transaction = await patient.Connection.BeginTransactionAsync(cancellationToken);
                await using var command = patient.Connection.CreateCommand();
                command.Transaction = transaction;
                command.CommandText = $"INSERT INTO {table} VALUES ({i + WarmUp})";
                await command.ExecuteNonQueryAsync(cancellationToken);
                var start = Stopwatch.GetTimestamp();
                await transaction.CommitAsync(cancellationToken);
                if (i >= 0)
                    times.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            }

            times.Sort();
            return Judge(times[times.Count / 2], patient.Latency);
        }
        finally
        {
            // Also if the run was cancelled: the table must not stay.
            await ExecuteAsync(patient, $"DROP TABLE IF EXISTS {table}", CancellationToken.None);
        }
    }

    public static Check Judge(double median, double latency)
    {
        var disk = Math.Max(median - latency, 0);
        var text = $"{Measurements.Ms(median)} for a COMMIT of one row (median of {Commits}), {Measurements.Ms(disk)} more than a round trip";
        var figures = new Dictionary<string, double> { ["medianMs"] = median, ["withoutRoundTripMs"] = disk };
        return (disk < Slow
            ? Check.Ok(Id, text, Docs)
            : Check.Advise(
                Id, text, "Put several changes into one transaction. A faster disk for the log helps; weaker durability loses commits in a crash.", Docs))
            with { Figures = figures };
    }

    private static async Task ExecuteAsync(Patient patient, string sql, CancellationToken cancellationToken)
    {
        await using var command = patient.Connection.CreateCommand();
        command.CommandText = sql;
        await command.ExecuteNonQueryAsync(cancellationToken);
    }
}
