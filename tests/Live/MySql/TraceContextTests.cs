using System.Diagnostics;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>With Trace Context=true the server sees which span a command belongs to.</summary>
[Collection(nameof(AllocationTests))]
public sealed class TraceContextTests
{
    private const string Question = "SELECT mysql_query_attribute_string('traceparent')";

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_server_sees_the_span_of_a_command(bool asynchronously)
    {
        await using var connection = await OpenAsync(ServerKind.MySql, "Trace Context=true");
        await using var component = await QueryAttributeComponent.InstallAsync(connection);
        using var activity = new Activity("the application's").SetIdFormat(ActivityIdFormat.W3C).Start();
        await using var command = new MySqlCommand(Question, connection);
        // As a text, and automatically prepared.
        for (var i = 0; i < 4; i++)
            Assert.Equal(activity.Id, asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar());

        await using (
            var batch = new MySqlBatch(connection)
            {
                BatchCommands = { new MySqlBatchCommand(Question), new MySqlBatchCommand("DO 1"), new MySqlBatchCommand(Question) }
            })
        {
            await using var reader = asynchronously ? await batch.ExecuteReaderAsync() : batch.ExecuteReader();
            for (var i = 0; i < 2; i++)
            {
                Assert.True(await reader.ReadAsync());
                Assert.Equal(activity.Id, reader.GetString(0));
                await reader.NextResultAsync();
            }
        }

        // The command's own attribute takes precedence, and the driver's attributes do not stay in its collection.
        command.Attributes.SetAttribute("who", "me");
        Assert.Equal(activity.Id, command.ExecuteScalar());
        Assert.Single(command.Attributes);
        command.Attributes.SetAttribute("traceparent", "its own");
        Assert.Equal("its own", command.ExecuteScalar());
        command.Attributes.Clear();
        activity.Stop();
        Assert.Null(Activity.Current);
        Assert.Equal(DBNull.Value, command.ExecuteScalar());
    }

    [Fact]
    public async Task The_span_is_the_commands_own_where_somebody_listens()
    {
        Activity? last = null;
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "Slipstream.MySql",
            Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = span => last = span,
        };
        ActivitySource.AddActivityListener(listener);
        await using var connection = await OpenAsync(ServerKind.MySql, "Trace Context=true");
        await using var component = await QueryAttributeComponent.InstallAsync(connection);
        await using var command = new MySqlCommand(Question, connection);
        var seen = await command.ExecuteScalarAsync();
        Assert.NotNull(last);
        Assert.Equal(last.Id, seen);
    }

    [Theory]
    [InlineData(ServerKind.MySql, "")]
    [InlineData(ServerKind.MySql, "Trace Context=true;Query Attributes=false")]
    [InlineData(ServerKind.MariaDb, "Trace Context=true")]
    public async Task Nothing_is_sent_where_it_is_not_wanted_or_not_possible(ServerKind kind, string options)
    {
        await using var connection = await OpenAsync(kind, options);
        using var activity = new Activity("the application's").SetIdFormat(ActivityIdFormat.W3C).Start();
        await using var component = kind == ServerKind.MySql ? await QueryAttributeComponent.InstallAsync(connection) : null;
        await using var command = new MySqlCommand(kind == ServerKind.MySql ? Question : "SELECT NULL", connection);
        for (var i = 0; i < 3; i++)
            Assert.Equal(DBNull.Value, await command.ExecuteScalarAsync());
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind, string options)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), options));
        await connection.OpenAsync();
        return connection;
    }
}
