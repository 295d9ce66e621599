using System.Collections;
using System.Data.Common;
using System.Globalization;

namespace Slipstream.Migrated;

/// <summary>
/// One run of a case by one driver on one server: its observations, as lines. A case is a public static method with a <see cref="Trial"/> as its only
/// parameter; it is compiled once with each driver, and its lines must be the same.
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

    /// <summary>The connection string of an empty database that only this driver uses.</summary>
    public string ConnectionString { get; }

    /// <summary>The name of that database; the compared lines contain {database} instead.</summary>
    public string Database { get; }

    public bool IsMariaDb { get; }

    public IReadOnlyList<Observation> Seen => _seen;

    /// <summary>Records what must be equal on both drivers.</summary>
    public void Say(string what, object? value) => _seen.Add(new(what, Normal(value), null));

    /// <summary>Records a deliberate difference.</summary>
    /// <param name="what">The name of the observation.</param>
    /// <param name="value">The observed value.</param>
    /// <param name="row">The first cell of the row of docs/migrating.md that documents it; a test searches for it there.</param>
    /// <param name="why">Why the drivers are not made equal.</param>
    public void Differs(string what, object? value, string row, string why)
    {
        ArgumentException.ThrowIfNullOrEmpty(why);
        _seen.Add(new(what, Normal(value), row));
    }

    /// <summary>Records the value of an action, or its exception.</summary>
    public void Try(string what, Func<object?> action) => Say(what, Outcome(action));

    /// <summary>Records whether an action succeeds, or its exception.</summary>
    public void Try(string what, Action action) => Try(what, () =>
    {
        action();
        return "done";
    });

    /// <summary>Records the value of a task, or its exception.</summary>
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

    /// <summary>Returns the value of an action, or its exception.</summary>
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

    /// <summary>Returns the rows of the reader's current result, each with the types of its values.</summary>
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
        // The server's own text is compared, the driver's is not.
        DbException { SqlState: { Length: > 0 } state } e => $"{NameOf(e)} {state} {NumberOf(e)}: {TextOf(e)}",
        DbException e => $"{NameOf(e)} {NumberOf(e)}",
        // Includes TaskCanceledException.
        OperationCanceledException => nameof(OperationCanceledException),
        Exception e => e.GetType().Name,
        bool or char or Enum or Guid => $"{value.GetType().Name} {value}",
        { } date when date.GetType().Name == "MySqlDateTime" => "MySqlDateTime " + string.Join(" ",
            DateParts.Select(name => date.GetType().GetProperty(name)!.GetValue(date))),
        IFormattable number => $"{value.GetType().Name} {number.ToString(null, CultureInfo.InvariantCulture)}",
        IEnumerable many => "[" + string.Join(", ", many.Cast<object?>().Select(Plain)) + "]",
        // An object without its own ToString.
        _ when value.ToString() == value.GetType().FullName => value.GetType().Name,
        _ => $"{value.GetType().Name} {value}",
    };

    // Its form as a string differs: docs/migrating.md has a row for it.
    private static readonly string[] DateParts = ["Year", "Month", "Day", "Hour", "Minute", "Second", "Microsecond"];

    private static string NameOf(DbException e) => e.GetType().Name is "PostgresException" or "NpgsqlException" ? "PgException" : e.GetType().Name;

    // PostgreSQL's drivers put the SQLSTATE before the server's text, and the position after it.
    private static string TextOf(DbException e) => e.GetType().GetProperty("MessageText")?.GetValue(e)?.ToString() ?? e.Message;

    private static string NumberOf(DbException e) => e.GetType().GetProperty("Number")?.GetValue(e)?.ToString() ?? "";
}

/// <summary>One line of a case's observations.</summary>
/// <param name="What">Its name.</param>
/// <param name="Value">The value as text.</param>
/// <param name="Row">Its row in the documentation, if the drivers differ.</param>
public sealed record Observation(string What, string Value, string? Row)
{
    public override string ToString() => $"{What}: {Value}";
}
