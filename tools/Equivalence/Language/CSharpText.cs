using System.Data;
using System.Globalization;
using System.Text;

namespace Slipstream.Equivalence.Language;

/// <summary>A program as a test of C#: what a finding is reported as.</summary>
internal static class CSharpText
{
    /// <summary>A string literal.</summary>
    public static string Literal(string text)
    {
        var literal = new StringBuilder("\"");
        foreach (var character in text)
        {
            literal.Append(character switch
            {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                < ' ' or > '~' => string.Create(CultureInfo.InvariantCulture, $"\\u{(int)character:X4}"),
                _ => character.ToString(),
            });
        }

        return literal.Append('"').ToString();
    }

    /// <summary>A method that does what the program does.</summary>
    /// <param name="program">The program.</param>
    /// <param name="isPostgreSql">Which provider.</param>
    /// <param name="setUp">The statements that make the tables.</param>
    /// <param name="first">The connection string's options on one side.</param>
    /// <param name="second">On the other side.</param>
    public static string Test(EquivalenceProgram program, bool isPostgreSql, string setUp, string first, string second)
    {
        var prefix = isPostgreSql ? "Pg" : "MySql";
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"""
            [Theory]
            [InlineData({Literal(first)})]
            [InlineData({Literal(second)})]
            public async Task Program_{program.Seed}(string options)
            {"{"}
                using var source = {(isPostgreSql ? "PgDataSource.Create" : "new MySqlDataSource")}(ConnectionString + ";Maximum Pool Size={program.PoolSize};" + options);
                Execute(Admin, {Literal(setUp)});

            """);
        var users = program.Steps.Select(static step => step.User).Where(static user => user >= 0).Distinct().Order().ToList();
        foreach (var user in users)
            text.Append(CultureInfo.InvariantCulture, $"    {prefix}Connection u{user} = null!; {prefix}Transaction? t{user} = null;\n");
        foreach (var step in program.Steps)
            foreach (var line in Lines(step, prefix))
                text.Append("    ").Append(line).Append('\n');
        return text.Append("}\n").ToString();
    }

    private static IEnumerable<string> Lines(Step step, string prefix)
    {
        var user = $"u{step.User}";
        var (wait, async) = step.Async ? ("await ", "Async") : ("", "");
        switch (step)
        {
            case OpenStep open:
                yield return $"{user} = {wait}source.OpenConnection{async}();";
                if (open.Listens)
                    yield return prefix == "Pg" ? $"{user}.Notice += (_, e) => Tell(e.Notice);" : $"{user}.InfoMessage += (_, e) => Tell(e.Errors);";
                break;
            case CloseStep:
                yield return step.Async ? $"await {user}.DisposeAsync(); t{step.User} = null;" : $"{user}.Dispose(); t{step.User} = null;";
                break;
            case CommandStep command:
                yield return $"using (var k = new {prefix}Command({Literal(command.Text.Sql)}, {user}, t{step.User}))";
                yield return "{";
                if (command.IsProcedure)
                    yield return "    k.CommandType = CommandType.StoredProcedure;";
                foreach (var line in Parameters(command.Text, "k"))
                    yield return "    " + line;
                if (command.HasOutputs)
                    yield return "    (k.Parameters[0].ParameterName, k.Parameters[1].ParameterName, k.Parameters[1].Direction, k.Parameters[2].ParameterName, k.Parameters[2].Direction) = (\"a\", \"b\", ParameterDirection.Output, \"c\", ParameterDirection.InputOutput);";
                if (command.Prepares)
                    yield return $"    {wait}k.Prepare{async}();";
                if (command.Times > 1)
                    yield return $"    for (var i = 0; i < {command.Times}; i++)";
                var indent = command.Times > 1 ? "        " : "    ";
                yield return indent + Execution(command.Verb, command.Read, wait, async, "k");
                yield return "}";
                break;
            case BatchStep batch:
                yield return $"using (var b = new {prefix}Batch({user}, t{step.User}))";
                yield return "{";
                for (var i = 0; i < batch.Commands.Length; i++)
                {
                    yield return $"    var c{i} = new {prefix}BatchCommand({Literal(batch.Commands[i].Sql)});";
                    foreach (var line in Parameters(batch.Commands[i], $"c{i}"))
                        yield return "    " + line;
                    yield return $"    b.BatchCommands.Add(c{i});";
                }

                if (batch.Prepares)
                    yield return $"    {wait}b.Prepare{async}();";
                yield return "    " + Execution(batch.Verb, batch.Read, wait, async, "b");
                yield return "}";
                break;
            case TransactionStep transaction:
                yield return transaction.Verb switch
                {
                    TransactionVerb.Begin => $"t{step.User} = {wait}{user}.BeginTransaction{async}(IsolationLevel.{transaction.Level});",
                    TransactionVerb.Commit => $"{wait}t{step.User}!.Commit{async}(); t{step.User} = null;",
                    TransactionVerb.Rollback => $"{wait}t{step.User}!.Rollback{async}(); t{step.User} = null;",
                    TransactionVerb.Dispose => $"t{step.User}!.Dispose(); t{step.User} = null;",
                    TransactionVerb.Save => $"{wait}t{step.User}!.Save{async}(\"{transaction.Name}\");",
                    TransactionVerb.RollbackTo => $"{wait}t{step.User}!.Rollback{async}(\"{transaction.Name}\");",
                    _ => $"{wait}t{step.User}!.Release{async}(\"{transaction.Name}\");",
                };
                break;
            case BulkStep bulk:
                yield return $"// bulk copy ({bulk.Wire}) into {bulk.Table}({string.Join(", ", bulk.Columns)}); the enumerator throws in front of row {bulk.BreaksAt}";
                yield return $"Bulk({user}, t{step.User}, \"{bulk.Wire}\", {Literal(bulk.Table)}, [{string.Join(", ", bulk.Columns.Select(Literal))}], {bulk.BreaksAt}, [";
                foreach (var row in bulk.Rows)
                    yield return $"    [{string.Join(", ", row.Select(static cell => cell.ToCSharp()))}],";
                yield return "]);";
                break;
            case ChangeDatabaseStep change:
                yield return $"{wait}{user}.ChangeDatabase{async}({Literal(change.Database)});";
                break;
            case OutsideStep outside:
                yield return $"Execute(Admin, {Literal(outside.Sql)});";
                break;
            case StoppedStep stopped:
                yield return $"// stopped by {stopped.By} after {stopped.AfterMilliseconds} ms";
                yield return $"Stopped({user}, t{step.User}, Stop.{stopped.By}, {stopped.AfterMilliseconds}, {Literal(stopped.Sql)});";
                break;
            case NewTablesStep:
                yield return "Execute(Admin, SetUp); // as above";
                break;
            case LookStep:
                yield return "AssertNextLeaseIsLikeNew(source);";
                break;
        }
    }

    private static IEnumerable<string> Parameters(Text text, string target)
    {
        for (var i = 0; i < text.Args.Length; i++)
            yield return $"{target}.Parameters.AddWithValue(\"@p{i}\", {text.Args[i].ToCSharp()});";
    }

    private static string Execution(Verb verb, ReadPlan read, string wait, string async, string target)
    {
        var behavior = read.Behavior == CommandBehavior.Default ? "" : string.Join(" | ", read.Behavior.ToString().Split(", ").Select(static word => "CommandBehavior." + word));
        return verb switch
        {
            Verb.NonQuery => $"{wait}{target}.ExecuteNonQuery{async}();",
            Verb.Scalar => $"{wait}{target}.ExecuteScalar{async}();",
            _ => $"using (var r = {wait}{target}.ExecuteReader{async}({behavior})) Read(r, \"{read.By}\", rows: {read.Rows}, results: {read.Results});",
        };
    }
}
