using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;
using Slipstream.PostgreSql.Statements;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Tests.State;

/// <summary>The effects of statements and of the ends of transactions on search_path and on the prepared statements.</summary>
public class ServerStateTests
{
    private readonly StatementTable<PgStatement> _statements = new(PgStatement.ScanPositional);
    private readonly PreparedStatements _prepared = new(new AutoPreparation(false, 0), 100);
    private readonly ServerState _state;

    public ServerStateTests()
    {
        _state = NewState([], "");
    }

    [Fact]
    public void A_path_that_never_moved_does_not_go_back()
    {
        _state.TransactionStatus = TransactionStatus.Idle;
        _state.RestorePath();
        Assert.Equal(0, _state.Path);
    }

    [Fact]
    public void A_moved_path_may_go_back_once_when_its_transaction_ends()
    {
        Run("SET search_path = a", "SET");
        Assert.Equal(1, _state.Path);
        _state.TransactionStatus = TransactionStatus.InTransaction;
        Assert.Equal(1, _state.Path);
        _state.TransactionStatus = TransactionStatus.Idle;
        Assert.Equal(2, _state.Path);
        _state.TransactionStatus = TransactionStatus.Idle;
        Assert.Equal(2, _state.Path);
    }

    [Fact]
    public void A_reset_moves_the_path_back_once()
    {
        Run("SET search_path = a", "SET");
        _state.TransactionStatus = TransactionStatus.Idle;
        _state.RestorePath();
        Assert.Equal(3, _state.Path);
        _state.RestorePath();
        Assert.Equal(3, _state.Path);
    }

    [Fact]
    public void Each_rollback_to_a_savepoint_may_move_the_path()
    {
        Run("SET search_path = a", "SET");
        Run("ROLLBACK TO s", "ROLLBACK");
        Run("ROLLBACK TO s", "ROLLBACK");
        Assert.Equal(3, _state.Path);
        Run("COMMIT", "COMMIT");
        Run("COMMIT", "COMMIT");
        Assert.Equal(4, _state.Path);
    }

    [Theory]
    [InlineData("SET role = a", "SET", false, true, true)]
    [InlineData("CREATE TABLE t()", "CREATE TABLE", true, true, false)]
    [InlineData("DROP TABLE t", "DROP TABLE", true, true, false)]
    [InlineData("INSERT INTO t VALUES (1)", "INSERT 0 1", false, false, false)]
    public void Open_changes_end_with_the_transaction(string sql, string tag, bool byError, bool byRollback, bool byCommit)
    {
        Run(sql, tag);
        Assert.Equal(byError, Closes(_state.Refused));
        Assert.Equal(byRollback, Closes(_state.RolledBack));
        Assert.Equal(byCommit, Closes(() => _state.TransactionStatus = TransactionStatus.Idle));
        Assert.False(Closes(() => _state.TransactionStatus = TransactionStatus.Idle));
        Assert.False(Closes(_state.Refused));
        Assert.False(Closes(_state.RolledBack));
    }

    [Fact]
    public void Discarding_all_ends_the_changes_of_settings_and_ignores_what_it_resets()
    {
        Run("SET role = a", "SET");
        Assert.True(_state.MustDiscardAll);
        _state.BeginDiscardingAll();
        Assert.False(Closes(() => _state.TakeSetting(new("is_superuser", "on"))));
        Assert.False(_state.MustDiscardAll);
        _state.EndReset();
        Assert.False(Closes(() => _state.TransactionStatus = TransactionStatus.Idle));
        Assert.True(Closes(() => _state.TakeSetting(new("is_superuser", "off"))));
        Assert.True(_state.MustDiscardAll);
    }

    [Theory]
    [InlineData("SET role = a", "SET", true)]
    [InlineData("SELECT 1", "SELECT 1", false)]
    public void A_reset_that_restores_the_login_closes_the_statements_of_other_settings(string sql, string tag, bool closes)
    {
        var reader = new ByteReader(Encoding.ASCII.GetBytes($"{tag}\0"));
        _state.Completed(CommandComplete.Read(ref reader), _statements.Get(sql).Parts[0], hasColumns: true);
        Assert.Equal(closes, _state.MustDiscardAll);
        Assert.Equal(closes, Closes(_state.BeginRestoring));
        Assert.False(_state.MustDiscardAll);
        Assert.False(Closes(() => _state.TakeSetting(new("TimeZone", "UTC"))));
        _state.EndReset();
        Assert.True(Closes(() => _state.TakeSetting(new("TimeZone", "Asia/Tokyo"))));
    }

    [Fact]
    public void A_reset_that_changes_what_the_client_sent_shows_a_pooler()
    {
        var state = NewState(new() { ["client_encoding"] = "UTF8", ["DateStyle"] = "ISO, MDY", ["TimeZone"] = "UTC" }, "");
        state.BeginDiscardingAll();
        // The administrator may have changed the default; the driver did not send it.
        state.TakeSetting(new("TimeZone", "Asia/Tokyo"));
        state.EndReset();
        Assert.False(state.IsBehindPooler);
        state.BeginDiscardingAll();
        state.TakeSetting(new("DateStyle", "German, DMY"));
        state.EndReset();
        Assert.True(state.IsBehindPooler);
    }

    [Fact]
    public void The_settings_of_the_login_are_restored_as_they_were_reported_or_sent()
    {
        var settings = new Dictionary<string, string> { ["DateStyle"] = "ISO, MDY", ["application_name"] = "it's \\ this", ["server_version"] = "18.6" };
        Assert.Equal(
            ",pg_catalog.set_config('DateStyle',E'ISO, MDY',false),pg_catalog.set_config('application_name',E'it''s \\\\ this',false)",
            Encoding.UTF8.GetString(NewState(settings, "").LoginSettings));

        var unreported = NewState([], "a, b");
        Assert.Equal(",pg_catalog.set_config('search_path',E'a, b',false)", Encoding.UTF8.GetString(unreported.LoginSettings));
        var reported = NewState(new() { ["search_path"] = "a, c" }, "a, b");
        reported.TakeSetting(new("search_path", "d"));
        Assert.Equal(",pg_catalog.set_config('search_path',E'a, c',false)", Encoding.UTF8.GetString(reported.LoginSettings));
    }

    private ServerState NewState(Dictionary<string, string> settings, string searchPath) =>
        new(_prepared, settings, new TypeSource(TypeMappings.None, TypeLoadingOptions.Default), searchPath);

    // Returns whether the act closes a prepared statement.
    private bool Closes(Action act)
    {
        _prepared.Add(_statements.Get("SELECT 1"), new PreparedStatement([new("s1"u8.ToArray(), [])], _state.Path));
        act();
        return _prepared.Count == 0;
    }

    private void Run(string sql, string tag)
    {
        var reader = new ByteReader(Encoding.ASCII.GetBytes($"{tag}\0"));
        _state.Completed(CommandComplete.Read(ref reader), _statements.Get(sql).Parts[0], hasColumns: false);
    }
}
