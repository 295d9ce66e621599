using System.Data.Common;
using System.Globalization;
using Slipstream.Equivalence.Language;
using Slipstream.Lab;

namespace Slipstream.Equivalence.Running;

/// <summary>
/// What programs run on: a database of their own with its tables, an ordinary user, and an administrator's connection (by a peer, so that what is checked does not check itself).
/// Both configurations run on the same one, one after the other, each time on tables that are as new.
/// </summary>
internal abstract class World(LabServer server, int number) : IAsyncDisposable
{
    /// <summary>What <see cref="GlanceAsync"/> calls the digest.</summary>
    public const string DigestName = "digest";

    public const string UserName = "eq_user";
    public const string Password = "eq-user";

    // What a session's state, or its digest, is when it is new, by the options of its connection.
    private readonly Dictionary<string, IReadOnlyDictionary<string, string>> _new = [];

    // What the digests of the tables are when they are new, and which tables and definitions are not as new.
    private Dictionary<string, string> _fresh = [];
    private readonly HashSet<string> _written = [];
    private readonly HashSet<string> _defined = [];
    private bool _isKnown;

    protected LabServer Server => server;

    /// <summary>The database.</summary>
    public string Database { get; } = string.Create(CultureInfo.InvariantCulture, $"eq_{number}");

    /// <summary>The administrator's.</summary>
    protected DbConnection Admin { get; set; } = null!;

    /// <summary>Ends what a program has prepared and not ended: it outlives its session.</summary>
    public virtual Task EndBranchesAsync() => Task.CompletedTask;

    /// <summary>What a finding must say to be run elsewhere.</summary>
    public Stage Stage => new(server.Kind == ServerKind.PostgreSql, SetUp, Database, [.. Questions, VariablesQuestion]);

    /// <summary>Makes tables and what belongs to them.</summary>
    public abstract string SetUp { get; }

    /// <summary>The names of the tables whose rows are compared.</summary>
    protected abstract IReadOnlyList<string> Tables { get; }

    /// <summary>How SQL names a table that generates keys, by its name here; null for another. Its rows are compared by relation (see <see cref="Comparing.Keys"/>), which a digest cannot be.</summary>
    protected abstract string? KeyedTable(string name);

    /// <summary>A digest of the rows of each table, and of what gives their rows keys: by name.</summary>
    protected abstract Task<Dictionary<string, string>> DigestsAsync();

    /// <summary>Makes definitions and rows as new: only those that are named.</summary>
    protected abstract Task RestoreAsync(IReadOnlySet<string> defined, IReadOnlySet<string> written);

    /// <summary>Whether <see cref="RestoreAsync"/> can undo what a program has defined; the names of what has changed are added.</summary>
    protected abstract bool CanRestore(EquivalenceProgram program, HashSet<string> changed);

    /// <summary>Variables that an ordinary user may set, with values to set them to: from the server.</summary>
    public IReadOnlyList<Setting> Settings { get; protected set; } = [];

    public static async Task<World> CreateAsync(LabServer server, int number)
    {
        World world = server.Kind == ServerKind.PostgreSql ? new PgWorld(server, number) : new MySqlWorld(server, number);
        await world.BeginAsync();
        return world;
    }

    /// <summary>Releases what the administrator's session has accumulated. Called before each program.</summary>
    public virtual Task BeforeProgramAsync() => Task.CompletedTask;

    public abstract string ConnectionString(Side side, int poolSize);

    protected abstract Task BeginAsync();

    /// <summary>Tables as new: what is known to be as new is left alone.</summary>
    public async Task ResetAsync()
    {
        if (_isKnown)
        {
            try
            {
                if (_defined.Count + _written.Count > 0)
                    await RestoreAsync(_defined, _written);
            }
            catch (DbException)
            {
                _isKnown = false;
            }
        }

        if (!_isKnown)
        {
            await ExecuteAsync(Admin, SetUp);
            _fresh = await DigestsAsync();
        }

        _isKnown = true;
        _defined.Clear();
        _written.Clear();
    }

    /// <summary>Nothing is known of the tables any more: next time all are made anew.</summary>
    public void Forget() => _isKnown = false;

    /// <summary>Looks at what a program has left behind, in the words that are compared.</summary>
    public async Task<IReadOnlyList<string>> LeaveAsync(EquivalenceProgram program, bool inDetail)
    {
        var isKnown = _isKnown && CanRestore(program, _defined);
        _isKnown = false;
        Dictionary<string, string> digests;
        try
        {
            digests = await DigestsAsync();
        }
        catch (DbException)
        {
            return await TablesAsync();
        }

        foreach (var (name, digest) in digests)
            if (!_fresh.TryGetValue(name, out var fresh) || fresh != digest)
                _written.Add(name);
        _isKnown = isKnown;
        if (inDetail)
            return await TablesAsync();
        var lines = new List<string>();
        foreach (var table in Tables)
        {
            if (_written.Contains(table) && KeyedTable(table) is { } keyed)
                lines.AddRange(await LinesAsync(table, keyed));
            else
                lines.Add($"table {table}: {digests.GetValueOrDefault(table)}");
        }

        return lines;
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

    // All rows of all tables.
    private async Task<IReadOnlyList<string>> TablesAsync()
    {
        var lines = new List<string>();
        foreach (var table in await PresentTablesAsync())
            lines.AddRange(await LinesAsync(table, Qualified(table)));
        return lines;
    }

    // Generated keys have nine digits each, so that their order is the same whatever was skipped.
    private async Task<IEnumerable<string>> LinesAsync(string name, string qualified) =>
        (await RowsAsync(Admin, $"SELECT * FROM {qualified}")).Order(StringComparer.Ordinal).Select(row => $"table {name}: {row}");

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
            state[question] = await AskFromOutsideAsync(question, driver.SessionId(connection));
        return state;
    }

    /// <summary>The answer to one of <see cref="QuestionsFromOutside"/>.</summary>
    protected virtual Task<string> AskFromOutsideAsync(string question, long session) => AskedAsync(Admin, string.Format(CultureInfo.InvariantCulture, question, session));

    /// <summary>What tells most of a session's state in one answer.</summary>
    protected abstract string Digest { get; }

    /// <summary>The digest of a session's state, and the answers to the questions with these numbers, which take turns because each is one more round trip.</summary>
    public async Task<IReadOnlyDictionary<string, string>> GlanceAsync(DbConnection connection, Driver driver, bool asksKeyFirst, int turn)
    {
        var state = new Dictionary<string, string>(StringComparer.Ordinal);
        if (!asksKeyFirst)
            await AskedAsync(connection, "SELECT 1");
        state[DigestName] = await AskedAsync(connection, Digest);
        if (Asides.Count > 0 && Asides[turn % Asides.Count] is var question)
            state[question] = await AskedAsync(connection, question);
        if (QuestionsFromOutside.Count > 0 && QuestionsFromOutside[turn / 7 % QuestionsFromOutside.Count] is var outside)
            state[outside] = await AskFromOutsideAsync(outside, driver.SessionId(connection));
        return state;
    }

    /// <summary>Those of <see cref="Questions"/> that the digest does not hold.</summary>
    protected abstract IReadOnlyList<string> Asides { get; }

    /// <summary>The state of a new session: everything, and what a glance tells.</summary>
    public async Task<IReadOnlyDictionary<string, string>> NewStateAsync(Side side)
    {
        var key = $"{side.Name} {side.Options} {side.IsTls}";
        if (_new.TryGetValue(key, out var known))
            return known;
        await using var source = side.Driver.CreateSource(ConnectionString(side, 1));
        await using var connection = await source.OpenConnectionAsync();
        var state = new Dictionary<string, string>(StringComparer.Ordinal);
        await AskedAsync(connection, "SELECT 1");
        state[DigestName] = await AskedAsync(connection, Digest);
        foreach (var (name, value) in await StateAsync(connection, side.Driver, asksKeyFirst: false))
            state[name] = value;
        return _new[key] = state;
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
        return await RowsAsync(command);
    }

    protected static async Task<List<string>> RowsAsync(DbCommand command)
    {
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

    protected static async Task<string> AskedAsync(DbConnection connection, string question)
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
