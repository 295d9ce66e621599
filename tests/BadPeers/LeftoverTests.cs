using System.Data.Common;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>
/// A server sends more than it was asked for. What follows an answer belongs to no command: not even the next command on the same connection uses it as its
/// answer.
/// </summary>
[Collection(nameof(SideBySide))]
public sealed class LeftoverTests
{
    private const string MySql = "MySQL";
    private const string PostgreSql = "PostgreSQL";

    public static TheoryData<string, string, bool> Cases()
    {
        var cases = new TheoryData<string, string, bool>();
        foreach (var provider in new[] { MySql, PostgreSql })
        {
            foreach (var next in new[] { "reader", "scalar", "affected", "prepared", "batch", "begin", "change database" })
            {
                if (provider == PostgreSql && next == "change database")
                    continue;
                cases.Add(provider, next, false);
                cases.Add(provider, next, true);
            }
        }

        return cases;
    }

    [Theory, MemberData(nameof(Cases))]
    public async Task What_is_left_over_behind_an_answer_is_nobodys_answer(string provider, string next, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            Welcome(provider, peer);
            ReadQuery(provider, peer);
            peer.Send([.. Result(provider, "true"), .. Result(provider, "FORGED")]);
            peer.ReadSegment();
            throw new InvalidDataException("The client said something behind words that it had not asked for.");
        });
        await using var source = Connect(provider, server);
        await using var connection = await source.OpenConnectionAsync();
        Assert.Equal("true", await Scalar(connection, asynchronously));
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => Run(connection, next, asynchronously));
        Assert.True(failure is MySqlProtocolException or PgException, failure.ToString());
        Assert.Contains("nothing before the next command", failure.Message);
        Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
        server.ThrowIfScriptFailed();
    }

    [Theory]
    [InlineData(MySql, false), InlineData(MySql, true), InlineData(PostgreSql, false), InlineData(PostgreSql, true)]
    public async Task What_comes_behind_the_login_is_not_the_first_answer(string provider, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            Welcome(provider, peer, behind: Result(provider, "FORGED"));
            peer.ReadSegment();
            throw new InvalidDataException("The client said something behind words that it had not asked for.");
        });
        await using var source = Connect(provider, server);
        await using var connection = await source.OpenConnectionAsync();
        var failure = await Assert.ThrowsAnyAsync<Exception>(() => Scalar(connection, asynchronously));
        Assert.True(failure is MySqlProtocolException or PgException, failure.ToString());
        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_of_PostgreSQL_may_report_a_setting_between_two_commands(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            Welcome(PostgreSql, peer);
            for (var i = 0; i < 3; i++)
            {
                ReadQuery(PostgreSql, peer);
                peer.Send(
                    [
                        .. Result(PostgreSql, $"{i}"), .. PgWords.ParameterStatus("TimeZone", "UTC"),
                        .. PgWords.Message('N', [(byte)'S', .. PgWords.Text("NOTICE"), (byte)'M', .. PgWords.Text("x"), 0])
                    ]);
            }
        });
        await using var source = Connect(PostgreSql, server);
        await using var connection = await source.OpenConnectionAsync();
        for (var i = 0; i < 3; i++)
            Assert.Equal($"{i}", await Scalar(connection, asynchronously));
        server.ThrowIfScriptFailed();
    }

    [Theory]
    [InlineData("FATAL", "57P01"), InlineData("ERROR", "")]
    public async Task The_last_words_of_a_PostgreSQL_server_are_heard_and_an_error_of_no_command_is_not(string severity, string state)
    {
        using var server = FakeServer.Start(peer =>
        {
            Welcome(PostgreSql, peer);
            ReadQuery(PostgreSql, peer);
            peer.Send([.. Result(PostgreSql, "true"), .. PgWords.Error(('S', severity), ('V', severity), ('C', "57P01"), ('M', "it ends"))]);
            if (severity == "FATAL")
                ReadQuery(PostgreSql, peer);
            else
                peer.ReadSegment();
        });
        await using var source = Connect(PostgreSql, server);
        await using var connection = await source.OpenConnectionAsync();
        Assert.Equal("true", await Scalar(connection, true));
        var failure = await Assert.ThrowsAnyAsync<DbException>(() => Scalar(connection, true));
        Assert.Equal(state, failure.SqlState ?? "");
        Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
    }

    // Only the complete message shows whether it ends the session.
    [Theory]
    [InlineData("ERROR", 1, false), InlineData("ERROR", 1, true), InlineData("ERROR", 40, false), InlineData("FATAL", 40, true)]
    public async Task An_error_of_no_command_is_not_believed_when_its_end_comes_later(string severity, int missing, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            Welcome(PostgreSql, peer);
            ReadQuery(PostgreSql, peer);
            var error = PgWords.Error(('S', severity), ('V', severity), ('C', "23505"), ('M', "duplicate key value violates unique constraint"));
            peer.Send([.. Result(PostgreSql, "true"), .. error[..^missing]]);
            ReadQuery(PostgreSql, peer);
            peer.Send([.. error[^missing..], .. PgWords.Ready()]);
        });
        await using var source = Connect(PostgreSql, server);
        await using var connection = await source.OpenConnectionAsync();
        Assert.Equal("true", await Scalar(connection, asynchronously));
        var failure = await Assert.ThrowsAnyAsync<DbException>(() => Scalar(connection, asynchronously));
        Assert.Equal("", failure.SqlState ?? "");
        Assert.Contains("nothing before the next command", failure.Message);
        Assert.Equal(System.Data.ConnectionState.Closed, connection.State);
    }

    private static ProviderDataSource Connect(string provider, FakeServer server) => provider == MySql
        ? new MySqlDataSource($"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;SSL Mode=None;Pipelining Mode=On;Auto Prepare=false")
        : PgDataSource.Create($"Host=127.0.0.1;Port={server.Port};{PgLogin.Text};Password=open sesame;Database=db;SSL Mode=Disable;Auto Prepare=false");

    private static void Welcome(string provider, FakePeer peer, byte[]? behind = null)
    {
        if (provider == MySql)
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Ok(3), .. behind ?? []]);
        }
        else
        {
            peer.ReadStartupWithoutTls();
            peer.Send([.. PgWords.LoginSuccess, .. behind ?? []]);
        }
    }

    private static void ReadQuery(string provider, FakePeer peer)
    {
        if (provider == MySql)
            peer.Expect(3);
        else
            peer.ReadToSync();
    }

    private static byte[] Result(string provider, string value) => provider == MySql
        ? [.. MySqlWords.Columns(1, MySqlWords.StringType, "a"), .. MySqlWords.TextRow(3, value), .. MySqlWords.End(4)]
        : [
            .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)),
            .. PgWords.DataRow(Encoding.UTF8.GetBytes(value)),
            .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];

    private static async Task<object?> Scalar(DbConnection connection, bool asynchronously)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT a";
        return asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
    }

    private static async Task Run(DbConnection connection, string next, bool asynchronously)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT b";
        switch (next)
        {
            case "reader":
                await using (asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader())
                    return;
            case "scalar":
                _ = asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar();
                return;
            case "affected":
                _ = asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
                return;
            case "prepared":
                if (asynchronously)
                    await command.PrepareAsync();
                else
                    command.Prepare();
                goto case "scalar";
            case "batch":
                await using (var batch = connection.CreateBatch())
                {
                    for (var i = 0; i < 2; i++)
                    {
                        var one = batch.CreateBatchCommand();
                        one.CommandText = "SELECT b";
                        batch.BatchCommands.Add(one);
                    }

                    _ = asynchronously ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery();
                    return;
                }
            case "begin":
                await using (asynchronously ? await connection.BeginTransactionAsync() : connection.BeginTransaction())
                    goto case "affected";
            default:
                if (asynchronously)
                    await connection.ChangeDatabaseAsync("other");
                else
                    connection.ChangeDatabase("other");
                return;
        }
    }
}
