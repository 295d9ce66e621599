using Slipstream.BadPeers.Peers;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>Servers that describe impossible types, or do something else while the types are loaded.</summary>
[Collection("PostgreSQL, types")]
public sealed class TypeLoadingTests : PgPeerTests
{
    private const string LoadsTypes = "Server Compatibility Mode=None;";

    private static readonly byte[] Begun = [.. PgWords.ParseComplete, .. PgWords.BindComplete];
    private static readonly byte[] End = [.. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];

    [Theory, InlineData(false), InlineData(true)]
    public async Task Types_that_contain_each_other_without_end_are_survived(bool asynchronously)
    {
        // A chain of ranges and arrays, each over the one before, down to the type of the query's column; and types that contain themselves.
        var rows = new List<byte>();
        for (var i = 0; i < 30_000; i++)
            rows.AddRange(Row("1", $"{20_000 + i}", "r", $"{(i == 0 ? PgWords.TextOid : 19_999 + i)}", $"r{i}"));
        foreach (var kind in "admrc")
        {
            rows.AddRange(Row("1", $"{60_000 + kind}", $"{kind}", $"{60_000 + kind}", $"self {kind}"));
            rows.AddRange(Row("3", $"{60_000 + kind}", "", $"{60_000 + kind}", "field"));
        }

        using var server = Loading([.. Begun, .. rows, .. End]);
        await Connect(server, asynchronously, LoadsTypes).Uses(async connection =>
        {
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT 1";
            await using var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();
            Assert.True(asynchronously ? await reader.ReadAsync() : reader.Read());
            Assert.Equal("42", reader.GetValue(0));
            for (var i = 1; i < reader.FieldCount; i++)
            {
                Assert.NotNull(reader.GetDataTypeName(i));
                Assert.NotNull(reader.GetFieldType(i));
                var failure = Record.Exception(() => reader.GetValue(i));
                Assert.True(failure is null or FormatException or InvalidCastException, failure?.ToString());
            }
        });
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task No_password_is_sent_after_the_login(bool asynchronously)
    {
        foreach (var words in (byte[][])[
            PgWords.Authentication(3), PgWords.Authentication(5, 1, 2, 3, 4), PgWords.Authentication(10, [.. PgWords.Text("SCRAM-SHA-256"), 0]),
        ])
        {
            using var server = Loading(words);
            IsConnectFailure(server, await Connect(server, asynchronously, LoadsTypes + "Require Auth=None,Password,MD5,ScramSHA256").OpenFails());
            NeverSent(server, Encoding(Password));
            NeverSent(server, "SCRAM"u8);
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Silence_while_types_are_loaded_ends_in_time(bool asynchronously)
    {
        var scripts = (byte[][])[[], Begun, [.. Begun, .. Row("1", "20000", "e", "0", "mood")], [.. Begun, .. End.AsSpan(0, 8)]];
        await Task.WhenAll(scripts.Select(async words =>
        {
            using var server = Loading(words);
            var client = Connect(server, asynchronously, LoadsTypes + "Timeout=1");
            IsConnectFailure(server, await client.OpenFails());
            Assert.InRange(client.Took.TotalSeconds, 0.9, 20);
        }));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Settings_and_types_without_end_are_refused(bool asynchronously)
    {
        foreach (var endless in new Func<int, byte[]>[]
        {
            static i => PgWords.ParameterStatus($"n{i}", new string('v', 1000)),
            static i => Row("1", $"{20_000 + i}", "e", "0", new string('x', 60_000)),
        })
        {
            using var server = FakeServer.Start(peer =>
            {
                peer.WelcomePg();
                peer.ReadToSync();
                peer.Send(Begun);
                // Far beyond the limits: the client hangs up before.
                for (var i = 0; i < 20_000; i++)
                    peer.Send(endless(i));
            });
            var failure = await Assert.ThrowsAsync<PgException>(async () =>
            {
                await using var source = PgDataSource.Create(
                    $"Host={server.Address};Port={server.Port};{PgLogin.Text};{LoadsTypes}Database=db;SSL Mode=Disable;Require Auth=None;Timeout=60");
                await using var connection = source.CreateConnection();
                if (asynchronously)
                    await connection.OpenAsync();
                else
                    connection.Open();
            });
            Assert.Contains("violated the protocol", failure.ToString());
        }
    }

    private static byte[] Encoding(string text) => System.Text.Encoding.UTF8.GetBytes(text);

    private static byte[] Row(string part, string oid, string kind, string related, string name) =>
        PgWords.DataRow([.. new[] { part, oid, kind, related, name, "public" }.Select(Encoding)]);

    // Sends this in answer to the query for the types, and then rows whose columns have types of the catalogue.
    private static FakeServer Loading(byte[] types) => FakeServer.Start(peer =>
    {
        peer.WelcomePg();
        peer.ReadToSync();
        peer.Send(types);
        while (true)
        {
            peer.ReadToSync();
            var value = "42"u8.ToArray();
            peer.Send(
            [
                .. Begun,
                .. PgWords.RowDescription(("a", PgWords.TextOid), ("b", 20_000), ("c", 49_999), ("d", 60_000 + 'a'), ("e", 60_000 + 'd'), ("f", 60_000 + 'm'),
                    ("g", 60_000 + 'r'), ("h", 60_000 + 'c')),
                .. PgWords.DataRow(value, value, "empty"u8.ToArray(), "{}"u8.ToArray(), value, "{}"u8.ToArray(), "empty"u8.ToArray(), "(,)"u8.ToArray()),
                .. End,
            ]);
        }
    });
}
