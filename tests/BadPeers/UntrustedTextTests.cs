using System.Collections.Concurrent;
using System.Data.Common;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>Text from servers appears in messages, logs and traces: there it must neither control a terminal nor look like another log entry.</summary>
[Collection(nameof(Alone))]
public sealed class UntrustedTextTests
{
    // Characters that clear a screen, begin a new line, and reverse the text direction.
    private const string Bad = "gone\u001b[2J\u0000\u009b31m\r\n2026-01-01 INFO everything is fine\u202E";

    private const string BadName = "gone\u001b[2J\r\n2026-01-01 INFO everything is fine";

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_of_MySQL_keeps_its_lines_in_the_message_and_none_in_logs_and_traces(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send(MySqlWords.Error(1, 1146, Bad, "4\n\u001b00"));
        });
        using var telemetry = new TelemetryWatch(server.Port);
        var failure = Assert.IsType<MySqlException>(await Fails(MySqlSource(server, telemetry), asynchronously));
        Assert.Equal("gone\uFFFD[2J\uFFFD\uFFFD31m\r\n2026-01-01 INFO everything is fine\u202E", failure.Message);
        Assert.Null(failure.SqlState);
        telemetry.IsHarmless();
        Assert.Contains(telemetry.Lines, static line => line.Contains("1146", StringComparison.Ordinal));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_of_PostgreSQL_that_ends_the_session_is_logged_on_one_line(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send(PgWords.Error(('S', "FATAL"), ('V', "FATAL"), ('C', "57P01\r\n2026-01-01 INFO all is well"), ('M', BadName + "\u202E"), ('H', BadName)));
            peer.Close();
        });
        using var telemetry = new TelemetryWatch(server.Port);
        var failure = Assert.IsType<PgException>(await Fails(PgSource(server, telemetry), asynchronously));
        Assert.DoesNotContain('\u001b', failure.ToString());
        Assert.DoesNotContain('\0', failure.ToString());
        Assert.True(failure.SqlState == "", failure.ToString());
        Assert.Contains("\n2026-01-01 INFO everything is fine", failure.MessageText, StringComparison.Ordinal);
        telemetry.IsHarmless();
        Assert.Contains(telemetry.Lines, static line => line.Contains("is broken", StringComparison.Ordinal));
    }

    // The error number determines whether a retry makes sense. It comes with the last message of the session.
    [Theory, InlineData(false), InlineData(true)]
    public async Task The_last_words_of_a_PostgreSQL_session_keep_their_state(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send(PgWords.Error(('S', "FATAL"), ('V', "FATAL"), ('C', "57P01"), ('M', "terminating connection due to administrator command")));
            peer.Close();
        });
        using var telemetry = new TelemetryWatch(server.Port);
        var failure = Assert.IsType<PgException>(await Fails(PgSource(server, telemetry), asynchronously));
        Assert.Equal("57P01", failure.SqlState);
        Assert.Equal(Core.Errors.ErrorKind.ConnectionLost, failure.Kind);
        Assert.True(failure.IsTransient);
        Assert.Contains(telemetry.Lines, static line => line.Contains("is broken: terminating connection", StringComparison.Ordinal));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_lost_session_of_PostgreSQL_is_logged_with_the_servers_words_on_one_line(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription(("a", PgWords.TextOid)), .. PgWords.Message('?', 1)]);
        });
        using var telemetry = new TelemetryWatch(server.Port);
        Assert.IsType<PgException>(await Fails(PgSource(server, telemetry), asynchronously));
        telemetry.IsHarmless();
        Assert.Contains(telemetry.Lines, static line => line.Contains("is broken", StringComparison.Ordinal));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_login_that_is_refused_in_bad_words_is_traced_harmlessly(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer => peer.Send(MySqlWords.Error(0, 1040, Bad, null)));
        using var telemetry = new TelemetryWatch(server.Port);
        Assert.Equal(1040, Assert.IsType<MySqlException>(await Fails(MySqlSource(server, telemetry), asynchronously)).Number);
        telemetry.IsHarmless();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_columns_name_is_on_one_line_of_a_message_and_itself_for_the_application(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomeQuery();
            peer.Send([.. MySqlWords.Columns(1, MySqlWords.StringType, BadName), .. MySqlWords.TextRow(3, (string?)null), .. MySqlWords.End(4)]);
        });
        using var telemetry = new TelemetryWatch(server.Port);
        await using var source = MySqlSource(server, telemetry);
        await using var connection = source.CreateConnection();
        await Reads(connection, asynchronously, static reader =>
        {
            Assert.Equal(BadName, reader.GetName(0));
            Assert.Equal(BadName, reader.GetColumnSchema()[0].ColumnName);
            // Such a name may be a value of the text; the message has the column's number in its place.
            IsOneLine(Assert.Throws<InvalidCastException>(() => reader.GetInt32(0)).Message, "'#0'");
            IsOneLine(Assert.Throws<InvalidCastException>(() => reader.GetGuid(0)).Message, "'#0'");
            IsOneLine(Assert.Throws<IndexOutOfRangeException>(() => reader.GetOrdinal("other")).Message, "'#0'");
        });
        telemetry.IsHarmless();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_columns_name_of_PostgreSQL_too(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([
                .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.RowDescription((BadName + "\u202E", PgWords.TextOid)),
                .. PgWords.DataRow((byte[]?)null), .. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready(),
            ]);
        });
        using var telemetry = new TelemetryWatch(server.Port);
        await using var source = PgSource(server, telemetry);
        await using var connection = source.CreateConnection();
        await Reads(connection, asynchronously, static reader =>
        {
            Assert.Equal(BadName + "\u202E", reader.GetName(0));
            IsOneLine(Assert.Throws<InvalidCastException>(() => reader.GetString(0)).Message, "everything is fine");
        });
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_servers_version_is_on_one_line(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Send(MySqlWords.Greeting(version: "9.7.0\u001b[2J\nfine"));
            peer.ReadPacket();
            peer.Send(MySqlWords.Ok(2));
            peer.Stall();
        });
        using var telemetry = new TelemetryWatch(server.Port);
        await using var source = MySqlSource(server, telemetry);
        await using var connection = source.CreateConnection();
        await Opens(connection, asynchronously);
        Assert.Equal("9.7.0\\u001B[2J\\nfine", connection.ServerVersion);
    }

    private static void IsOneLine(string message, string says)
    {
        Assert.Contains(says, message, StringComparison.Ordinal);
        Assert.DoesNotContain(message, static c => char.IsControl(c) || c is '\u202E' or '\u2028');
    }

    private static MySqlDataSource MySqlSource(FakeServer server, TelemetryWatch telemetry) =>
        new MySqlDataSourceBuilder(
            $"Server={server.Address};Port={server.Port};User ID=somebody;Password=open sesame;SSL Mode=None;Connection Timeout=30;Pipelining "
                + "Mode=On;Pooling=false")
            .UseLoggerFactory(telemetry).Build();

    private static PgDataSource PgSource(FakeServer server, TelemetryWatch telemetry) =>
        new PgDataSourceBuilder(
            $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password=open sesame;Database=db;SSL Mode=Disable;Timeout=30;Pooling=false")
            .UseLoggerFactory(telemetry)
            .Build();

    private static async Task<Exception> Fails(DbDataSource source, bool asynchronously)
    {
        await using (source)
        {
            await using var connection = source.CreateConnection();
            return await Assert.ThrowsAnyAsync<Exception>(() => Reads(connection, asynchronously, static _ => { }));
        }
    }

    private static async Task Reads(DbConnection connection, bool asynchronously, Action<DbDataReader> row)
    {
        await Opens(connection, asynchronously);
        using var command = connection.CreateCommand();
        command.CommandText = "SELECT 1";
        using var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();
        while (asynchronously ? await reader.ReadAsync() : reader.Read())
            row(reader);
    }

    private static async Task Opens(DbConnection connection, bool asynchronously)
    {
        if (asynchronously)
            await connection.OpenAsync();
        else
            connection.Open();
    }

    /// <summary>Keeps all log lines, and the tags of spans about this server.</summary>
    private sealed class TelemetryWatch : ILoggerFactory, ILogger
    {
        private readonly ConcurrentQueue<string> _lines = new();
        private readonly ConcurrentQueue<Activity> _spans = new();
        private readonly ActivityListener _listener;

        public TelemetryWatch(int port)
        {
            _listener = new ActivityListener
            {
                ShouldListenTo = static source => source.Name.StartsWith("Slipstream.", StringComparison.Ordinal),
                Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
                ActivityStopped = span =>
                {
                    if (span.GetTagItem("server.port") is int at && at == port)
                        _spans.Enqueue(span);
                },
            };
            ActivitySource.AddActivityListener(_listener);
        }

        public IReadOnlyCollection<string> Lines => _lines;

        /// <summary>No line and no tag contains a character that controls a terminal or begins a new line.</summary>
        public void IsHarmless()
        {
            Assert.NotEmpty(_spans);
            var texts = _lines.Concat(
                _spans.SelectMany(
                    static span => span.TagObjects.Select(static tag => $"{tag.Key}={tag.Value}").Append(span.DisplayName).Append(span.StatusDescription ?? "")
                    .Concat(span.Events.SelectMany(static one => one.Tags.Select(static tag => $"{tag.Key}={tag.Value}")))));
            Assert.All(texts, static text => Assert.DoesNotContain(text, static c => char.IsControl(c) || c is '\u202E' or '\u2028'));
        }

        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            _lines.Enqueue(formatter(state, exception));

        public void Dispose() => _listener.Dispose();
    }
}
