using System.Data.Common;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.Recorder.Scenarios;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>The actions of a caller on a connection: first with a real server for the recording, then with the recorded and mutated answers.</summary>
/// <param name="Name">The file name of the recording.</param>
/// <param name="Play">The function that uses the open connection.</param>
/// <param name="Options">Options of the connection string in addition to host, port, user and password.</param>
internal sealed record Act(string Name, Func<Caller, Task> Play, string Options = "")
{
    /// <summary>
    /// Gets which other exceptions are allowed: those of a caller's error, such as a table that differs from the one that the server describes.
    /// </summary>
    public Func<Exception, bool> Allows { get; init; } = static _ => false;

    /// <summary>Gets the SQL that prepares the server before the recording.</summary>
    public string[] Setup { get; init; } = [];
}

/// <summary>A caller with one connection and one set of verbs. It reads every value of each reader.</summary>
internal sealed class Caller(DbConnection connection, Verbs verbs, StateSet? states, uint seed)
{
    private readonly ReaderSweep _sweep = new(seed, states);

    public DbConnection Connection => connection;

    public Verbs Verbs => verbs;

    /// <summary>Gets the number of rows read.</summary>
    public long Rows { get; private set; }

    /// <summary>Gets the number of values read, including NULL.</summary>
    public long Values { get; private set; }

    /// <summary>Gets the maximum number of values in a row of a result.</summary>
    public long Columns { get; private set; }

    public DbCommand Command(string sql, params object?[] parameters) => Stage.Command(connection, sql, parameters);

    /// <summary>Executes a command and reads every value of every row of every result.</summary>
    public async Task Query(DbCommand command, System.Data.CommandBehavior behavior = System.Data.CommandBehavior.Default)
    {
        await using var reader = behavior == System.Data.CommandBehavior.Default ? await verbs.Reader(command) : command.ExecuteReader(behavior);
        await Sweep(reader, behavior == System.Data.CommandBehavior.SequentialAccess);
    }

    public async Task Sweep(DbDataReader reader, bool isSequential = false)
    {
        do
        {
            Columns += reader.FieldCount;
            _sweep.Describe(reader);
            while (await verbs.Read(reader))
            {
                Rows++;
                Values += reader.FieldCount;
                if (isSequential)
                    _sweep.Stream(reader);
                else
                    _sweep.Row(reader);
            }
        }
        while (await verbs.NextResult(reader));
        states?.Visit(5, Math.Max(0, reader.RecordsAffected));
    }

    public async Task Query(string sql, params object?[] parameters)
    {
        await using var command = Command(sql, parameters);
        await Query(command);
    }

    public async Task Execute(string sql, DbTransaction? transaction = null)
    {
        await using var command = Command(sql);
        command.Transaction = transaction;
        await verbs.NonQuery(command);
    }

    public async Task Scalar(string sql, params object?[] parameters)
    {
        await using var command = Command(sql, parameters);
        await verbs.Scalar(command);
    }

    /// <summary>Executes the statement that absorbs a late cancellation. It calls the session itself, whose exceptions are not translated.</summary>
    public void Swallow()
    {
        if (((ProviderConnection)connection).SessionOrNull is not { } session)
            return;
        try
        {
            BlockingPump.Run(session.CreateAbsorbQuery(), session.Wire);
        }
        catch (Exception exception) when (exception is ProtocolException or WireException)
        {
            session.Break(exception.Message);
        }

        if (session.IsBroken)
            connection.Close();
    }

    /// <summary>Executes SQL that the server refuses.</summary>
    public async Task Fails(string sql)
    {
        try
        {
            await Query(sql);
        }
        catch (DbException) when (connection.State == System.Data.ConnectionState.Open)
        {
            // Continue: the session remains usable.
        }
    }
}
