using System.Data;
using System.Data.Common;
using System.Runtime.CompilerServices;
using Slipstream.Contract;
using Slipstream.Core.Data;
using Slipstream.Core.Pooling;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// The pool finds a connection that nobody closes only if nothing leads from its session to it: neither the last command nor the caller's token.
/// </summary>
public class ForgottenConnectionTests
{
    public enum Last
    {
        /// <summary>A batch of which the first of three results is read.</summary>
        OpenBatch,

        /// <summary>A batch with a value that no database has.</summary>
        UnwrittenBatch,

        /// <summary>A call with a value that no database has.</summary>
        UnwrittenCall,

        /// <summary>A call of a procedure that does not exist, with an output parameter.</summary>
        FailedCall,

        /// <summary>A command with a token that cancels the command also by its own Cancel.</summary>
        WithToken,
    }

    public static MatrixTheoryData<ServerKind, Last> Cases => new(ServerKinds.All, Enum.GetValues<Last>());

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_forgotten_connection_is_found_whatever_it_did_last(ServerKind kind, Last last)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var source = DataSources.Create(kind, ConnectionStrings.Of(server, "Maximum Pool Size=1;Application Name=forgotten"));
        await Forget(source, last);
        await Eventually.TrueAsync(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            return source.Statistics.Closed[CloseReason.Leaked] == 1;
        });
        await using var connection = await source.OpenConnectionAsync();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task Forget(ProviderDataSource source, Last last)
    {
        var connection = await source.OpenConnectionAsync();
        switch (last)
        {
            case Last.OpenBatch:
                var reader = await Batch(connection, 0).ExecuteReaderAsync();
                Assert.True(await reader.ReadAsync());
                break;
            case Last.UnwrittenBatch:
                await Assert.ThrowsAnyAsync<Exception>(() => Batch(connection, new Unknown()).ExecuteNonQueryAsync());
                break;
            case Last.UnwrittenCall:
                await Assert.ThrowsAnyAsync<Exception>(() => Call(connection, ParameterDirection.Input).ExecuteNonQueryAsync());
                break;
            case Last.FailedCall:
                await Assert.ThrowsAnyAsync<DbException>(() => Call(connection, ParameterDirection.Output).ExecuteNonQueryAsync());
                break;
            case Last.WithToken:
                var command = connection.CreateCommand();
                command.CommandText = "SELECT 1";
                var cancellation = new CancellationTokenSource();
                cancellation.Token.Register(command.Cancel);
                await command.ExecuteScalarAsync(cancellation.Token);
                break;
        }
    }

    private static DbBatch Batch(DbConnection connection, object value)
    {
        var batch = connection.CreateBatch();
        for (var i = 0; i < 3; i++)
        {
            var command = batch.CreateBatchCommand();
            command.CommandText = "SELECT @value";
            var parameter = command.CreateParameter();
            parameter.ParameterName = "@value";
            parameter.Value = value;
            command.Parameters.Add(parameter);
            batch.BatchCommands.Add(command);
        }

        return batch;
    }

    private static DbCommand Call(DbConnection connection, ParameterDirection direction)
    {
        var command = connection.CreateCommand();
        command.CommandType = CommandType.StoredProcedure;
        command.CommandText = "no_such_procedure";
        var parameter = command.CreateParameter();
        parameter.ParameterName = "value";
        parameter.Direction = direction;
        if (direction == ParameterDirection.Input)
            parameter.Value = new Unknown();
        else
            parameter.DbType = DbType.Int32;
        command.Parameters.Add(parameter);
        return command;
    }

    private sealed class Unknown;
}
