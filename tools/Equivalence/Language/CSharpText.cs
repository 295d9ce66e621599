using System.Data;
using System.Globalization;
using System.Text;

namespace Slipstream.Equivalence.Language;

/// <summary>Writes the steps of a program as C#, for a finding. <see cref="CSharpFile"/> writes the file around them.</summary>
internal static class CSharpText
{
    /// <summary>Returns a string literal.</summary>
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

    /// <summary>Returns the statements of a step.</summary>
    /// <param name="step">The step.</param>
    /// <param name="prefix">The prefix of the provider's type names.</param>
    /// <param name="way">Blocking or asynchronous.</param>
    public static IEnumerable<string> Lines(Step step, string prefix, CSharpWay way)
    {
        var (user, transaction) = ($"u{step.User}", $"t{step.User}");
        switch (step)
        {
            case OpenStep open:
                return Tried([
                    $"{user} = {way.Value("source.OpenConnection", "")};",
                    .. prefix == "Pg"
                        ? ["heard.Clear();", $"PgCalls.Listen({user}, (channel, payload, _) => heard.Add(channel + ' ' + payload));"]
                        : (string[])[],
                    .. !open.Listens ? (string[])[] : prefix == "Pg"
                        ? [$"((PgConnection){user}).Notice += (_, e) => Tell(\"notice \" + e.Notice.MessageText);"]
                        : [$"((MySqlConnection){user}).InfoMessage += (_, e) => Tell(\"notice \" + string.Join(\", \", e.Errors.Select(w => w.Message)));"],
                ]);
            case CloseStep:
                return Tried([$"{transaction} = null;", $"idle.Add(SessionOf({user}));", way.Statement($"{user}.Dispose", "")]);
            case CommandStep command:
                return [
                    .. command.Times > 1 ? [string.Create(CultureInfo.InvariantCulture, $"for (var n = 0; n < {command.Times}; n++)")] : (string[])[],
                    .. Tried(Command(command, user, transaction, prefix, way))
                ];
            case BatchStep batch:
                return Tried(Batch(batch, user, transaction, way));
            case TransactionStep { Verb: TransactionVerb.Begin } begin:
                return Tried([$"{transaction} = {way.Value($"{user}.BeginTransaction", $"IsolationLevel.{begin.Level}")};"]);
            case TransactionStep end:
                return Tried(Transaction(end, transaction, way));
            case BulkStep bulk:
                return Tried(Bulk(bulk, user, transaction, prefix, way));
            case CopyStep copy:
                return Tried(Copy(copy, user, way));
            case NotificationsStep notifications:
                return Tried(Notifications(notifications, user, way));
            case ReloadTypesStep:
                return Tried([$"await PgCalls.ReloadTypes({user}, {way.Word});"]);
            case FreshTypeStep:
                return Tried(
                    [
                        $"await PgCalls.FreshType({user}, {way.Word}, {Literal(FreshTypeStep.Definition)}, {Literal(FreshTypeStep.Query)}, "
                            + "PgCalls.ReloadTypes, Tell);"
                    ]);
            case LargeObjectStep large:
                return Tried(
                    [
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"await PgCalls.LargeObject({user}, {way.Word}, {Literal(large.Word)}, {large.Oid}, {large.Position}, {large.Length}, Text, "
                                + $"Tell);")
                    ]);
            case ChangeDatabaseStep change:
                return Tried([way.Statement($"{user}.ChangeDatabase", Literal(change.Database))]);
            case OutsideStep outside:
                return Tried([$"Execute(administrator, {Literal(outside.Sql)});"]);
            case StoppedStep stopped:
                return Tried(
                    [
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"await Stopped({user}, {transaction}, {Literal(stopped.By.ToString())}, {stopped.AfterMilliseconds}, {Literal(stopped.Sql)}, "
                                + $"{way.Word});")
                    ]);
            case LeaseKilledStep killed:
                return
                [
                    .. Tried([$"Kill(SessionOf({user}));"]),
                    string.Create(CultureInfo.InvariantCulture, $"for (var n = 0; n < {killed.Times}; n++)"),
                    .. Tried([$"await Marked({user}, {transaction}, {Literal(killed.Sql)}, {way.Word});"]),
                ];
            case PoolKilledStep killed:
                return Tried([$"await PoolKilled({Literal(killed.Sql)}, {way.Word});"]);
            case EnlistStep enlist:
                return Enlist(enlist, user, way);
            case NewTablesStep:
                return Tried(
                    prefix == "Pg"
                        ? ["SetUp();", "using var c = source.OpenConnection();", "await PgCalls.ReloadTypes(c, isAsync);"]
                        : (string[])["SetUp();"]);
            default:
                return Tried(["await Look();"]);
        }
    }

    private static IEnumerable<string> Tried(IEnumerable<string> lines) =>
        ["await Try(async () =>", "{", .. lines.Select(static line => line.Length == 0 ? "" : "    " + line), "});"];

    private static IEnumerable<string> Command(CommandStep step, string user, string transaction, string prefix, CSharpWay way)
    {
        yield return $"using var k = {user}.CreateCommand();";
        yield return $"k.CommandText = {Literal(step.Text.Sql)};";
        yield return $"k.Transaction = {transaction};";
        if (step.IsProcedure)
            yield return "k.CommandType = CommandType.StoredProcedure;";
        foreach (var line in Parameters(step.Text, "k", way))
            yield return line;
        if (step.HasOutputs)
        {
            yield return ("(k.Parameters[0].ParameterName, k.Parameters[1].ParameterName, k.Parameters[1].Direction) = (\"a\", \"b\", "
                + "ParameterDirection.Output);");
            yield return "(k.Parameters[2].ParameterName, k.Parameters[2].Direction) = (\"c\", ParameterDirection.InputOutput);";
        }

        if (step.Prepares)
            yield return way.Statement("k.Prepare", "");
        foreach (var line in Execution(step.Verb, step.Read, user, "k", way))
            yield return line;
        if (prefix == "MySql")
            yield return "if (k is MySqlCommand m) Tell($\"key {m.LastInsertedId}\");";
        if (step.HasOutputs)
            yield return "Tell(\"outputs \" + string.Join(\" | \", k.Parameters.Cast<DbParameter>().Select(p => Text(p.Value))));";
    }

    private static IEnumerable<string> Batch(BatchStep step, string user, string transaction, CSharpWay way)
    {
        yield return $"using var b = {user}.CreateBatch();";
        yield return $"b.Transaction = {transaction};";
        if (step.HasBarriers)
            yield return "((dynamic)b).EnableErrorBarriers = true;";
        for (var i = 0; i < step.Commands.Length; i++)
        {
            yield return $"var c{i} = b.CreateBatchCommand();";
            yield return $"c{i}.CommandText = {Literal(step.Commands[i].Sql)};";
            foreach (var line in Parameters(step.Commands[i], $"c{i}", way))
                yield return line;
            if (step.BarrierAfter == i)
                yield return $"((dynamic)c{i}).AppendErrorBarrier = true;";
            yield return $"b.BatchCommands.Add(c{i});";
        }

        if (step.Prepares)
            yield return way.Statement("b.Prepare", "");
        yield return "try";
        yield return "{";
        foreach (var line in Execution(step.Verb, step.Read, user, "b", way))
            yield return line.Length == 0 ? "" : "    " + line;
        yield return "}";
        yield return "finally";
        yield return "{";
        yield return "    Tell(\"each \" + string.Join(\", \", b.BatchCommands.Cast<System.Data.Common.DbBatchCommand>().Select(c => c.RecordsAffected)));";
        yield return "}";
    }

    private static IEnumerable<string> Execution(Verb verb, ReadPlan read, string user, string target, CSharpWay way) => verb switch
    {
        Verb.NonQuery => [$"Tell($\"changed {{{way.Value(target + ".ExecuteNonQuery", "")}}}\");"],
        Verb.Scalar => [$"Tell(\"scalar \" + Text({way.Value(target + ".ExecuteScalar", "")}));"],
        _ => [$"var r = {way.Value(target + ".ExecuteReader", CSharpReading.Behavior(read))};", .. CSharpReading.Lines(read, user, target, way)],
    };

    private static IEnumerable<string> Transaction(TransactionStep step, string transaction, CSharpWay way)
    {
        var name = $"\"{step.Name}\"";
        yield return $"var t = {transaction}!;";
        if (step.Verb is TransactionVerb.Commit or TransactionVerb.Rollback or TransactionVerb.Dispose)
            yield return $"{transaction} = null;";
        yield return step.Verb switch
        {
            TransactionVerb.Commit => way.Statement("t.Commit", ""),
            TransactionVerb.Rollback => way.Statement("t.Rollback", ""),
            TransactionVerb.Dispose => way.Statement("t.Dispose", ""),
            TransactionVerb.Save => way.Statement("t.Save", name),
            TransactionVerb.RollbackTo => way.Statement("t.Rollback", name),
            _ => way.Statement("t.Release", name),
        };
    }

    private static IEnumerable<string> Bulk(BulkStep step, string user, string transaction, string prefix, CSharpWay way)
    {
        var method = prefix == "Pg" ? "" : $", Method = MySqlBulkCopyMethod.{step.Wire}";
        yield return ($"var bulk = new {prefix}BulkCopy(({prefix}Connection){user}, ({prefix}Transaction?){transaction}) {{ DestinationTableName = "
            + $"{Literal(step.Table)}{method} }};");
        for (var i = 0; i < step.Columns.Length; i++)
            yield return $"bulk.ColumnMappings.Add(new({i}, {Literal(step.Columns[i])}));";
        yield return $"using var rows = new RowReader([{string.Join(", ", step.Columns.Select(Literal))}],";
        yield return "[";
        foreach (var row in step.Rows)
            yield return $"    [{string.Join(", ", row.Select(static cell => cell.ToCSharp()))}],";
        yield return $"], {step.BreaksAt});";
        yield return $"Tell($\"{{({way.Value("bulk.WriteToServer", "rows")}).RowsInserted}} rows\");";
    }

    private static IEnumerable<string> Enlist(EnlistStep step, string user, CSharpWay way)
    {
        var other = step.Other < 0 ? user : $"u{step.Other}";
        yield return "using (var t = new System.Transactions.CommittableTransaction())";
        yield return "{";
        foreach (var one in (string[])[user, other])
        {
            if (one == user || other != user)
                foreach (var line in Tried([$"{one}.EnlistTransaction(t);"]))
                    yield return "    " + line;
            if (other == user)
                break;
        }

        for (var i = 0; i < step.Commands.Length; i++)
        {
            var command = new CommandStep(step.User, step.Kind, step.Commands[i], Verb.NonQuery);
            foreach (var line in Tried(Command(command, i % 2 == 0 ? user : other, "null", "", way)))
                yield return "    " + line;
        }

        foreach (var line in Tried([step.Commits ? "t.Commit();" : "t.Rollback();"]))
            yield return "    " + line;
        yield return "}";
    }

    private static IEnumerable<string> Parameters(Text text, string target, CSharpWay way)
    {
        for (var i = 0; i < text.Args.Length; i++)
        {
            var type = text.Args[i].TypeName is { Length: > 0 } name ? ", " + Literal(name) : "";
            yield return $"{target}.Parameters.Add(Parameter(factory, \"@p{i}\", {text.Args[i].ToCSharp(way.HasPeer)}{type}));";
        }
    }

    private static IEnumerable<string> Copy(CopyStep step, string user, CSharpWay way)
    {
        var (sql, words) = (Literal(step.Sql), $"[{string.Join(", ", step.Words.Select(Literal))}]");
        var (most, ending) = (step.Most.ToString(CultureInfo.InvariantCulture), Literal(step.Ending));
        if (step.Form != CopyForm.BinaryImport)
        {
            yield return $"await PgCalls.{step.Form}({user}, {way.Word}, {sql}, " + step.Form switch
            {
                CopyForm.TextImport => $"{words}, {ending}, Tell);",
                CopyForm.RawImport => $"Convert.FromHexString(\"{step.Bytes}\"), {ending}, Tell);",
                CopyForm.BinaryExport => $"{words}, {most}, {ending}, Text, Tell);",
                CopyForm.TextExport => $"{most}, {ending}, Tell);",
                _ => $"{most}, {ending}, Text, Tell);",
            };
            yield break;
        }

        yield return $"await PgCalls.BinaryImport({user}, {way.Word}, {sql}, [";
        foreach (var row in step.Rows)
            yield return $"    [{string.Join(", ", row.Select(cell => $"({cell.ToCSharp(way.HasPeer)}, {Literal(cell.TypeName)})"))}],";
        yield return $"], {ending}, Tell);";
    }

    private static IEnumerable<string> Notifications(NotificationsStep step, string user, CSharpWay way)
    {
        switch (step.How)
        {
            case Hearing.WaitForOne:
                yield return $"Execute({user}, {Literal(Waited.Listen)});";
                yield return $"Execute(administrator, {Literal(Waited.Notify)});";
                yield return $"Tell($\"came {{await PgCalls.WaitLong({user}, {way.Word})}}\");";
                break;
            case Hearing.WaitCancelled:
                yield return $"await PgCalls.Collect({user}, {way.Word}, 0);";
                yield return $"await PgCalls.WaitCancelled({user});";
                break;
        }

        yield return string.Create(
            CultureInfo.InvariantCulture, $"await PgCalls.Collect({user}, {way.Word}, {(step.How == Hearing.Collect ? step.Milliseconds : 0)});");
        yield return "heard.ForEach(Tell);";
        yield return "heard.Clear();";
    }
}
