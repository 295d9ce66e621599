using System.Data;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>The typed members of the collections of parameters and of batch commands.</summary>
public sealed class ParameterCollectionTests
{
    [Fact]
    public void Parameters_are_found_inserted_and_removed_by_their_own_type()
    {
        using var command = new PgCommand();
        var parameters = command.Parameters;
        var (a, b, c) = (new PgParameter("a", 1), new PgParameter("@b", 2), new PgParameter(":c", 3));
        parameters.Add(a);
        parameters.Insert(0, b);
        Assert.Equal([b, a], parameters.ToArray());
        Assert.Equal((1, -1, true, false), (parameters.IndexOf(a), parameters.IndexOf(c), parameters.Contains(b), parameters.Contains(c)));
        Assert.True(parameters.TryGetValue("B", out var found));
        Assert.Same(b, found);
        Assert.False(parameters.TryGetValue("c", out _));
        var copy = new PgParameter[3];
        parameters.CopyTo(copy, 1);
        Assert.Equal([null!, b, a], copy);
        Assert.True(parameters.Remove(a));
        Assert.False(parameters.Remove(a));
        parameters.Remove("b");
        Assert.Throws<ArgumentException>(() => parameters.Remove("b"));
        Assert.Throws<ArgumentOutOfRangeException>(() => parameters.Insert(1, c));
        Assert.Throws<ArgumentNullException>(() => parameters.Insert(0, (PgParameter)null!));
        IList<PgParameter> list = parameters;
        list.Add(c);
        Assert.Equal([c], list);
    }

    [Fact]
    public void A_parameter_is_assigned_to_its_own_name_only()
    {
        using var command = new PgCommand();
        var parameters = command.Parameters;
        parameters.AddWithValue("a", 1);
        var replacement = new PgParameter("@A", 2);
        parameters["a"] = replacement;
        Assert.Same(replacement, parameters[0]);
        Assert.Contains("'b'", Assert.Throws<ArgumentException>(() => parameters["a"] = new PgParameter("b", 3)).Message, StringComparison.Ordinal);
        System.Data.Common.DbParameterCollection plain = parameters;
        Assert.Throws<ArgumentException>(() => plain["a"] = new PgParameter("b", 3));
        Assert.Same(replacement, parameters[0]);
    }

    [Fact]
    public void Parameters_are_added_with_a_source_column()
    {
        using var command = new PgCommand();
        var added = command.Parameters.Add("a", PgDbType.Varchar, 5, "column_a");
        Assert.Equal(("a", PgDbType.Varchar, 5, "column_a"), (added.ParameterName, added.PgDbType, added.Size, added.SourceColumn));
        added = command.Parameters.AddWithValue("b", PgDbType.Integer, 0, "column_b", 7);
        Assert.Equal((7, "column_b"), (added.Value, added.SourceColumn));
    }

    [Fact]
    public void Commands_of_a_batch_are_found_inserted_and_removed_by_their_own_type()
    {
        using var batch = new PgBatch { BatchCommands = { new("SELECT 1"), new("SELECT 2") } };
        var commands = batch.BatchCommands;
        var (first, other) = (commands[0], batch.CreateBatchCommand());
        commands.Insert(1, other);
        Assert.Equal((0, 1, true), (commands.IndexOf(first), commands.IndexOf(other), commands.Contains(other)));
        var copy = new PgBatchCommand[3];
        commands.CopyTo(copy, 0);
        Assert.Equal(copy, (IEnumerable<PgBatchCommand>)commands);
        Assert.True(commands.Remove(other));
        Assert.False(commands.Remove(other));
        Assert.Throws<ArgumentNullException>(() => commands.Add((PgBatchCommand)null!));
        Assert.Equal("SELECT 2", commands[1].ToString());
        Assert.Null(commands[1].AppendErrorBarrier);
        Assert.IsType<PgParameter>(commands[1].CreateParameter());
    }

    [Fact]
    public void A_clone_of_a_command_keeps_which_results_are_text()
    {
        using var command = new PgCommand("SELECT 1") { AllResultTypesAreUnknown = true, UnknownResultTypeList = [true] };
        using var clone = command.Clone();
        Assert.Equal((true, 1), (clone.AllResultTypesAreUnknown, clone.UnknownResultTypeList!.Length));
        using var plain = new PgCommand { AllResultTypesAreUnknown = false, UnknownResultTypeList = null };
        Assert.Equal((false, null), (plain.AllResultTypesAreUnknown, plain.UnknownResultTypeList));
    }

    // As before Npgsql 7, whose switch has the same effect.
    [Fact]
    public void A_switch_makes_the_name_of_a_procedure_that_of_a_function()
    {
        using var source = PgDataSource.Create("Host=nowhere;Username=nobody");
        var encoder = default(StatementEncoder);
        foreach (var (name, direction) in ((string, ParameterDirection)[])[
            ("a", ParameterDirection.Input), ("out", ParameterDirection.Output), ("b", ParameterDirection.InputOutput)])
            encoder.Parameters.Add(new PgParameter(name, PgDbType.Integer) { Direction = direction });
        Assert.Equal("CALL f(\"a\" => $1, \"out\" => $2, \"b\" => $3)", encoder.Find(source, "f", CommandType.StoredProcedure).Sql);
        AppContext.SetSwitch(StatementEncoder.FunctionSwitch, true);
        try
        {
            Assert.Equal("SELECT * FROM f(\"a\" => $1, \"b\" => $2)", encoder.Find(source, "f", CommandType.StoredProcedure).Sql);
        }
        finally
        {
            AppContext.SetSwitch(StatementEncoder.FunctionSwitch, false);
        }
    }

    [Fact]
    public void Exceptions_and_notices_can_be_made_by_hand()
    {
        Assert.Null(new PgException().SqlState);
        Assert.Equal("gone", new PgException("gone").MessageText);
        var late = new PgException("late", new TimeoutException());
        Assert.True(late.IsTransient);
        Assert.IsType<TimeoutException>(late.InnerException);
        var refusal = new PgException("no", "ERREUR", "ERROR", PgErrorCodes.UniqueViolation, detail: "d", position: 3, constraintName: "k", line: "9");
        Assert.Equal("23505: no\n\nPOSITION: 3\n\nDETAIL: d", refusal.Message);
        Assert.Equal(("ERREUR", "ERROR", "no", "k", "9", 3), (
            refusal.Severity, refusal.InvariantSeverity, refusal.MessageText, refusal.ConstraintName, refusal.Line, refusal.Position));
        refusal.BatchCommand = new("SELECT 1");
        Assert.Equal("SELECT 1", refusal.BatchCommand.CommandText);
        var notice = new PgNotice("WARNING", "WARNING", "01000", "careful") { Hint = "look" };
        Assert.Equal(("careful", "look", "01000"), (notice.MessageText, notice.Hint, notice.SqlState));
        using var running = new PgCommand("SELECT 1");
        Assert.Same(running, new PgOperationInProgressException(running).CommandInProgress);
        Assert.Throws<ArgumentNullException>(() => new PgOperationInProgressException(null!));
        Assert.Null(PgFactory.Instance.GetService(typeof(IDbConnection)));
    }
}
