using System.Data.Common;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.Recorder.Scenarios;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>What a caller does on a connection: first with a real server while it is recorded, then with what was recorded and mutated.</summary>
/// <param name="Name">The recording's file name.</param>
/// <param name="Play">Uses the open connection.</param>
/// <param name="Options">Options of the connection string beyond host, port, user and password.</param>
internal sealed record Act(string Name, Func<Caller, Task> Play, string Options = "")
{
    /// <summary>What else it may throw: what the caller would have to do otherwise, with a table such as the server says it has.</summary>
    public Func<Exception, bool> Allows { get; init; } = static _ => false;

    /// <summary>SQL that prepares the server before the recording begins.</summary>
    public string[] Setup { get; init; } = [];
}

/// <summary>The caller: one connection, one set of verbs, and a look at everything that a reader gives.</summary>
internal sealed class Caller(DbConnection connection, Verbs verbs, StateSet? states, uint seed)
{
    private readonly ReaderSweep _sweep = new(seed, states);

    public DbConnection Connection => connection;

    public Verbs Verbs => verbs;

    /// <summary>Rows that were shown.</summary>
    public long Rows { get; private set; }

    /// <summary>Values that were shown, NULL or not.</summary>
    public long Values { get; private set; }

    /// <summary>Most values of one row of a result.</summary>
    public long Columns { get; private set; }

    public DbCommand Command(string sql, params object?[] parameters) => Stage.Command(connection, sql, parameters);

    /// <summary>Executes and looks at every value of every row of every result.</summary>
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

    /// <summary>What is said behind a cancellation, so that one which comes late hits nothing: the way of the session itself, whose failures nobody has translated.</summary>
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

    /// <summary>Executes what the server refuses.</summary>
    public async Task Fails(string sql)
    {
        try
        {
            await Query(sql);
        }
        catch (DbException) when (connection.State == System.Data.ConnectionState.Open)
        {
            // It goes on: the session is as good as before.
        }
    }
}
