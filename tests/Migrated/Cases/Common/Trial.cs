using System.Collections;
using System.Data.Common;
using System.Globalization;

namespace Slipstream.Migrated;

/// <summary>
/// One run of a case by one driver on one server: what the case saw, as lines. A case is a public static method with a <see cref="Trial"/> as its
/// only parameter; it is compiled once against each driver, and its lines have to be the same.
/// </summary>
public sealed class Trial
{
    private readonly List<Observation> _seen = [];

    public Trial(string connectionString, string database, bool isMariaDb)
    {
        ConnectionString = connectionString;
        Database = database;
        IsMariaDb = isMariaDb;
    }

    /// <summary>Leads to an empty database that is this driver's own.</summary>
    public string ConnectionString { get; }

    /// <summary>The name of that database; in what is compared it is {database}.</summary>
    public string Database { get; }

    public bool IsMariaDb { get; }

    public IReadOnlyList<Observation> Seen => _seen;

    /// <summary>What must be equal on both drivers.</summary>
    public void Say(string what, object? value) => _seen.Add(new(what, Normal(value), null));

    /// <summary>What differs, and is meant to.</summary>
    /// <param name="what">The name of the observation.</param>
    /// <param name="value">What was seen.</param>
    /// <param name="row">The first cell of the row of docs/migrating.md that says so; a test looks for it there.</param>
    /// <param name="why">Why it is not made equal.</param>
    public void Differs(string what, object? value, string row, string why)
    {
        ArgumentException.ThrowIfNullOrEmpty(why);
        _seen.Add(new(what, Normal(value), row));
    }

    /// <summary>Says the value of an action, or the exception that it ends with.</summary>
    public void Try(string what, Func<object?> action) => Say(what, Outcome(action));

    /// <summary>Says whether an action ends well, or the exception that it ends with.</summary>
    public void Try(string what, Action action) => Try(what, () =>
    {
        action();
        return "done";
    });

    /// <summary>Says the value of a task, or the exception that it ends with.</summary>
    public async Task TryAsync(string what, Func<Task<object?>> action)
    {
        object? outcome;
        try
        {
            outcome = await action();
        }
        catch (Exception e)
        {
            outcome = e;
        }

        Say(what, outcome);
    }

    /// <summary>The value of an action, or the exception that it ends with.</summary>
    public static object? Outcome(Func<object?> action)
    {
        try
        {
            return action();
        }
        catch (Exception e)
        {
            return e;
        }
    }

    /// <summary>The rows of the reader's current result, each with the types of its values.</summary>
    public static string Rows(DbDataReader reader)
    {
        var rows = new List<string>();
        while (reader.Read())
            rows.Add("(" + string.Join(", ", Enumerable.Range(0, reader.FieldCount).Select(i => Plain(reader.GetValue(i)))) + ")");
        return string.Join(" ", rows);
    }

    private string Normal(object? value) => Plain(value).Replace(Database, "{database}", StringComparison.OrdinalIgnoreCase);

    private static string Plain(object? value) => value switch
    {
        null => "null",
        DBNull => "DBNull",
        string text => text,
        byte[] bytes => "0x" + Convert.ToHexString(bytes),
        DateTime time => $"DateTime {time:yyyy-MM-dd HH:mm:ss.ffffff} {time.Kind}",
        DateTimeOffset time => $"DateTimeOffset {time:yyyy-MM-dd HH:mm:ss.ffffff zzz}",
        Type type => type.Name,
        // The server's own words are compared, the driver's are not.
        DbException { SqlState: { Length: > 0 } state } e => $"{NameOf(e)} {state} {NumberOf(e)}: {TextOf(e)}",
        DbException e => $"{NameOf(e)} {NumberOf(e)}",
        // TaskCanceledException is one.
        OperationCanceledException => nameof(OperationCanceledException),
        Exception e => e.GetType().Name,
        bool or char or Enum or Guid => $"{value.GetType().Name} {value}",
        { } date when date.GetType().Name == "MySqlDateTime" => "MySqlDateTime " + string.Join(" ",
            DateParts.Select(name => date.GetType().GetProperty(name)!.GetValue(date))),
        IFormattable number => $"{value.GetType().Name} {number.ToString(null, CultureInfo.InvariantCulture)}",
        IEnumerable many => "[" + string.Join(", ", many.Cast<object?>().Select(Plain)) + "]",
        // An object without words of its own.
        _ when value.ToString() == value.GetType().FullName => value.GetType().Name,
        _ => $"{value.GetType().Name} {value}",
    };

    // What it is called as a string differs: docs/migrating.md has a row for it.
    private static readonly string[] DateParts = ["Year", "Month", "Day", "Hour", "Minute", "Second", "Microsecond"];

    private static string NameOf(DbException e) => e.GetType().Name is "PostgresException" or "NpgsqlException" ? "PgException" : e.GetType().Name;

    // PostgreSQL's drivers put the SQLSTATE and the place in front of, and behind, the server's words.
    private static string TextOf(DbException e) => e.GetType().GetProperty("MessageText")?.GetValue(e)?.ToString() ?? e.Message;

    private static string NumberOf(DbException e) => e.GetType().GetProperty("Number")?.GetValue(e)?.ToString() ?? "";
}

/// <summary>One line of what a case saw.</summary>
/// <param name="What">Its name.</param>
/// <param name="Value">The value in words.</param>
/// <param name="Row">Where it is documented, when the drivers differ.</param>
public sealed record Observation(string What, string Value, string? Row)
{
    public override string ToString() => $"{What}: {Value}";
}
