using System.Data.Common;
using System.Globalization;
using Slipstream.Lab;

namespace Slipstream.Equivalence.Running;

/// <summary>
/// What programs run on: a database of their own with its tables, an ordinary user, and an administrator's connection (by a peer, so that what is checked does not check itself).
/// Both configurations run on the same one, one after the other, each time on tables that are as new.
/// </summary>
internal abstract class World(LabServer server, int number) : IAsyncDisposable
{
    public const string UserName = "eq_user";
    public const string Password = "eq-user";

    // What a session's state is when it is new, by the options of its connection.
    private readonly Dictionary<string, IReadOnlyDictionary<string, string>> _new = [];

    protected LabServer Server => server;

    /// <summary>The database.</summary>
    public string Database { get; } = string.Create(CultureInfo.InvariantCulture, $"eq_{number}");

    /// <summary>Whether the tables are those that <see cref="SetUp"/> makes: then emptying is enough.</summary>
    public bool IsDefined { get; set; }

    /// <summary>The administrator's.</summary>
    protected DbConnection Admin { get; set; } = null!;

    /// <summary>Makes tables and what belongs to them.</summary>
    public abstract string SetUp { get; }

    /// <summary>Empties and fills the tables that are there.</summary>
    protected abstract string Refill { get; }

    /// <summary>The names of the tables that <see cref="SetUp"/> makes.</summary>
    protected abstract IReadOnlyList<string> Tables { get; }

    /// <summary>Variables that an ordinary user may set, with values to set them to: from the server.</summary>
    public IReadOnlyList<Setting> Settings { get; protected set; } = [];

    public static async Task<World> CreateAsync(LabServer server, int number)
    {
        World world = server.Kind == ServerKind.PostgreSql ? new PgWorld(server, number) : new MySqlWorld(server, number);
        await world.BeginAsync();
        return world;
    }

    public abstract string ConnectionString(Side side, int poolSize);

    protected abstract Task BeginAsync();

    /// <summary>Tables as new.</summary>
    public async Task ResetAsync()
    {
        await ExecuteAsync(Admin, IsDefined ? Refill : SetUp);
        IsDefined = true;
    }

    /// <summary>What somebody else does.</summary>
    public Task OutsideAsync(string sql) => ExecuteAsync(Admin, sql);

    /// <summary>A value, by the administrator.</summary>
    public async Task<object?> AskAsync(string sql)
    {
        await using var command = Admin.CreateCommand();
        command.CommandText = sql;
        return await command.ExecuteScalarAsync();
    }

    /// <summary>All rows of all tables.</summary>
    public async Task<IReadOnlyList<string>> TablesAsync()
    {
        var lines = new List<string>();
        foreach (var table in IsDefined ? Tables : await PresentTablesAsync())
            lines.AddRange((await RowsAsync(Admin, $"SELECT * FROM {Qualified(table)}")).Order(StringComparer.Ordinal).Select(row => $"table {table}: {row}"));
        return lines;
    }

    protected abstract string Qualified(string table);

    protected abstract Task<IReadOnlyList<string>> PresentTablesAsync();

    /// <summary>Ends a session from outside, and waits until it has gone.</summary>
    public async Task KillAsync(long session)
    {
        await AskedAsync(Admin, string.Format(CultureInfo.InvariantCulture, Killing, session));
        for (var tries = 0; tries < 2000 && (await RowsAsync(Admin, string.Format(CultureInfo.InvariantCulture, Presence, session))).Count > 0; tries++)
            await Task.Delay(1);
    }

    /// <summary>Ends session {0}.</summary>
    protected abstract string Killing { get; }

    /// <summary>A row while there is session {0}.</summary>
    protected abstract string Presence { get; }

    /// <summary>A statement that takes a while and then marks a row.</summary>
    public abstract string MarkSlowly(int mark, int milliseconds);

    /// <summary>What is looked at of a session, asked by itself.</summary>
    protected abstract IReadOnlyList<string> Questions { get; }

    /// <summary>What others can see of a session: {0} is its number.</summary>
    protected abstract IReadOnlyList<string> QuestionsFromOutside { get; }

    /// <summary>Names and values of all its variables.</summary>
    protected abstract string VariablesQuestion { get; }

    /// <summary>Variables that differ between two new sessions.</summary>
    protected abstract bool IsVolatile(string name);

    /// <summary>The state of a session, each part by its name.</summary>
    public async Task<IReadOnlyDictionary<string, string>> StateAsync(DbConnection connection, Driver driver, bool asksKeyFirst)
    {
        var state = new Dictionary<string, string>(StringComparer.Ordinal);
        // Behind a statement that sees nothing of what an earlier lease has left, or at once.
        if (!asksKeyFirst)
            await AskedAsync(connection, "SELECT 1");
        foreach (var question in Questions)
            state[question] = await AskedAsync(connection, question);
        foreach (var row in await RowsAsync(connection, VariablesQuestion))
        {
            var cut = row.IndexOf(" | ", StringComparison.Ordinal);
            var name = row["String:".Length..cut];
            if (!IsVolatile(name))
                state[name] = row[(cut + 3)..];
        }

        foreach (var question in QuestionsFromOutside)
            state[question] = await AskedAsync(Admin, string.Format(CultureInfo.InvariantCulture, question, driver.SessionId(connection)));
        return state;
    }

    /// <summary>The state of a new session.</summary>
    public async Task<IReadOnlyDictionary<string, string>> NewStateAsync(Side side)
    {
        if (_new.TryGetValue(side.Name, out var known))
            return known;
        await using var source = side.Driver.CreateSource(ConnectionString(side, 1));
        await using var connection = await source.OpenConnectionAsync();
        return _new[side.Name] = await StateAsync(connection, side.Driver, asksKeyFirst: false);
    }

    public async ValueTask DisposeAsync()
    {
        await EndAsync();
        await Admin.DisposeAsync();
    }

    protected abstract Task EndAsync();

    protected static async Task ExecuteAsync(DbConnection connection, string sql)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.CommandTimeout = 60;
        await command.ExecuteNonQueryAsync();
    }

    protected static async Task<List<string>> RowsAsync(DbConnection connection, string sql)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        await using var reader = await command.ExecuteReaderAsync();
        var rows = new List<string>();
        while (await reader.ReadAsync())
            rows.Add(string.Join(" | ", Enumerable.Range(0, reader.FieldCount).Select(i => Canonical.Value(Raw(reader, i)))));
        return rows;
    }

    // Zero dates and the like are text here.
    private static object Raw(DbDataReader reader, int i)
    {
        try
        {
            return reader.GetValue(i);
        }
        catch (Exception exception) when (exception is InvalidCastException or FormatException or DbException)
        {
            return "!" + exception.GetType().Name;
        }
    }

    private static async Task<string> AskedAsync(DbConnection connection, string question)
    {
        try
        {
            return string.Join("; ", await RowsAsync(connection, question));
        }
        catch (DbException refused)
        {
            return $"error {refused.SqlState}";
        }
    }
}

/// <summary>A variable that an ordinary user may set.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Values">What it may be set to, as SQL.</param>
internal sealed record Setting(string Name, IReadOnlyList<string> Values);
