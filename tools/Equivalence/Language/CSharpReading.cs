using System.Data;
using System.Globalization;

namespace Slipstream.Equivalence.Language;

/// <summary>Writes the reading of a reader as C#, equal to <see cref="Running.Walk"/>.</summary>
internal static class CSharpReading
{
    /// <summary>Returns the statements after <c>var r = …</c>.</summary>
    /// <param name="plan">How to read the reader.</param>
    /// <param name="user">The variable of the connection.</param>
    /// <param name="command">The variable of the command or batch.</param>
    /// <param name="way">Blocking, asynchronous, or as the side decides.</param>
    public static IEnumerable<string> Lines(ReadPlan plan, string user, string command, CSharpWay way)
    {
        yield return "try";
        yield return "{";
        yield return "    var results = 0;";
        yield return "    do";
        yield return "    {";
        yield return "        Tell(Columns(r));";
        if (plan.Schema)
            yield return ("        foreach (var c in r.GetColumnSchema()) Tell($\"schema {c.ColumnName} {c.BaseTableName}.{c.BaseColumnName} {c.DataTypeName} "
                + "{c.ColumnSize} {c.AllowDBNull} {c.IsKey}\");");
        yield return "        var rows = 0;";
        yield return string.Create(
            CultureInfo.InvariantCulture, $"        for (; {(plan.Rows < 0 ? "" : $"rows != {plan.Rows} && ")}{way.Value("r.Read", "")}; rows++)");
        foreach (var line in Row(plan, way))
            yield return "        " + line;
        yield return "        Tell($\"{rows} rows\");";
        yield return "    }";
        yield return string.Create(
            CultureInfo.InvariantCulture, $"    while ({(plan.Results < 0 ? "" : $"++results != {plan.Results} && ")}{way.Value("r.NextResult", "")});");
        foreach (var line in Leave(plan.Leaves, user, command, way))
            yield return "    " + line;
        yield return "}";
        yield return "finally";
        yield return "{";
        yield return "    " + way.Statement("r.Dispose", "");
        yield return "}";
        yield return "";
        yield return "Tell($\"changed {r.RecordsAffected}\");";
    }

    private static IEnumerable<string> Row(ReadPlan plan, CSharpWay way)
    {
        yield return "{";
        if (plan.By == Reading.Rows)
        {
            yield return "    var values = new object[r.FieldCount];";
            yield return "    r.GetValues(values);";
            yield return "    Tell(\"row \" + string.Join(\" | \", values.Select(Text)));";
        }
        else
        {
            yield return $"    foreach (var i in {Ordinals(plan.Columns)})";
            yield return ($"        await Cell({(plan.Leaves == Leaving.FirstFailure ? "true" : "false")}, async () => "
                + $"{(plan.By == Reading.Nullables ? "" : "r.IsDBNull(i) ? DBNull.Value : ")}{Cell(plan, way)});");
        }

        yield return "}";
    }

    private static string Ordinals(Selection columns) => columns switch
    {
        Selection.None => "Array.Empty<int>()",
        Selection.First => "Enumerable.Range(0, Math.Min(r.FieldCount, 1))",
        Selection.Last => "Enumerable.Range(Math.Max(r.FieldCount - 1, 0), Math.Min(r.FieldCount, 1))",
        Selection.EverySecond => "Enumerable.Range(0, r.FieldCount).Where(i => i % 2 == 1)",
        Selection.Backwards => "Enumerable.Range(0, r.FieldCount).Reverse()",
        Selection.Twice => "Enumerable.Range(0, r.FieldCount).SelectMany(i => new[] { i, i })",
        _ => "Enumerable.Range(0, r.FieldCount)",
    };

    private static string Cell(ReadPlan plan, CSharpWay way)
    {
        var most = plan.Most < 0 ? "int.MaxValue" : plan.Most.ToString(CultureInfo.InvariantCulture);
        return plan.By switch
        {
            Reading.Values => way.Value("r.GetFieldValue<object>", "i", "r.GetValue"),
            Reading.Strings => "r.GetString(i)",
            Reading.Int32s => "r.GetInt32(i)",
            Reading.Int64s => "r.GetInt64(i)",
            Reading.Doubles => "r.GetDouble(i)",
            Reading.Decimals => "r.GetDecimal(i)",
            Reading.Booleans => "r.GetBoolean(i)",
            Reading.DateTimes => "r.GetDateTime(i)",
            Reading.Guids => "r.GetGuid(i)",
            Reading.Bytes => $"Bytes(r, i, {most})",
            Reading.Chars => $"Chars(r, i, {most})",
            Reading.Streams => $"await Streamed(r.GetStream(i), {most}, {way.Word})",
            Reading.TextReaders => $"await Streamed(r.GetTextReader(i), {most}, {way.Word})",
            Reading.Nullables => way.Value("r.GetFieldValue<int?>", "i"),
            Reading.DateOnlys => way.Value("r.GetFieldValue<DateOnly>", "i"),
            Reading.DateTimeOffsets => way.Value("r.GetFieldValue<DateTimeOffset>", "i"),
            Reading.TimeSpans => way.Value("r.GetFieldValue<TimeSpan>", "i"),
            Reading.FieldValues => "OfItsType(r, i)",
            Reading.OtherTypes => string.Create(CultureInfo.InvariantCulture, $"await TypedReading.Read(r, i, {plan.Choice}, {way.Word})"),
            _ => "r[r.GetName(i)]",
        };
    }

    private static IEnumerable<string> Leave(Leaving leaves, string user, string command, CSharpWay way)
    {
        switch (leaves)
        {
            case Leaving.Close:
                yield return way.Statement("r.Close", "");
                break;
            case Leaving.CommandDisposed:
                yield return $"{command}.Dispose();";
                break;
            case Leaving.ConnectionClosed:
                yield return way.Statement($"{user}.Close", "");
                yield return "Tell($\"reader closed {r.IsClosed}\");";
                yield return way.Statement($"{user}.Open", "");
                break;
        }
    }

    /// <summary>Returns the behaviour as an argument.</summary>
    public static string Behavior(ReadPlan plan) =>
        plan.Behavior == CommandBehavior.Default
            ? ""
            : string.Join(" | ", plan.Behavior.ToString().Split(", ").Select(static word => "CommandBehavior." + word));
}

/// <summary>Whether a call is blocking or asynchronous.</summary>
/// <param name="IsAsync">Whether it is asynchronous; null: the variable isAsync decides.</param>
/// <param name="HasPeer">Whether one of the sides is the other driver, so that values of a driver's own types are chosen by it.</param>
internal readonly record struct CSharpWay(bool? IsAsync, bool HasPeer = false)
{
    /// <summary>Gets it as an expression.</summary>
    public string Word => IsAsync switch { true => "true", false => "false", null => "isAsync" };

    /// <summary>Returns a call that has a result.</summary>
    public string Value(string method, string arguments, string? blocking = null)
    {
        var (one, other) = ($"await {Async(method)}({arguments})", $"{blocking ?? method}({arguments})");
        return IsAsync switch { true => one, false => other, null => $"(isAsync ? {one} : {other})" };
    }

    /// <summary>Returns a call without a result.</summary>
    public string Statement(string method, string arguments)
    {
        var (one, other) = ($"await {Async(method)}({arguments});", $"{method}({arguments});");
        return IsAsync switch { true => one, false => other, null => $"if (isAsync) {one} else {other}" };
    }

    private static string Async(string method) =>
        method.IndexOf('<', StringComparison.Ordinal) is > 0 and var at ? method[..at] + "Async" + method[at..] : method + "Async";
}
