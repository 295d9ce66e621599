using System.Data.Common;
using System.Globalization;
using Slipstream.Equivalence.Gateways;
using Slipstream.Equivalence.Language;
using Slipstream.Lab;

namespace Slipstream.Equivalence.Running;

/// <summary>
/// The environment of programs: a database with its tables, an ordinary user, and an administrator's connection, which a peer's driver makes so that the check
/// does not depend on the driver that it checks. Both configurations run in the same world, one after the other, each on new tables.
/// </summary>
internal abstract class World(LabServer server, int number) : IAsyncDisposable
{
    /// <summary>The name of the digest in <see cref="DigestAsync"/>.</summary>
    public const string DigestName = "digest";

    public const string UserName = "eq_user";
    public const string Password = "eq-user";

    // The state and the digest of a new session, by the options of its connection.
    private readonly Dictionary<string, IReadOnlyDictionary<string, string>> _new = [];

    // The digests of new tables, and the tables and definitions that have changed.
    private Dictionary<string, string> _fresh = [];
    private readonly HashSet<string> _written = [];
    private readonly HashSet<string> _defined = [];
    private bool _isKnown;

    private GatewayPair? _gateways;

    protected LabServer Server => server;

    /// <summary>Gets the name of the database.</summary>
    public string Database { get; } = string.Create(CultureInfo.InvariantCulture, $"eq_{number}");

    /// <summary>Gets or sets the administrator's connection.</summary>
    protected DbConnection Admin { get; set; } = null!;

    /// <summary>Ends a distributed transaction that a program has prepared and not ended: it outlives its session.</summary>
    public virtual Task EndBranchesAsync() => Task.CompletedTask;

    /// <summary>Gets the gateways of sides that are clusters. They are started when they are first needed.</summary>
    public GatewayPair Gateways => _gateways ??= new(server.Host, server.Port, server.Kind.IsPostgreSql());

    /// <summary>Gets what counts the refusals.</summary>
    public RefusalCounts Refusals { get; init; } = new();

    /// <summary>Returns a digest of the committed rows of all tables; null if one of them does not exist now.</summary>
    public async Task<string?> RowsDigestAsync()
    {
        try
        {
            return string.Join(
                "; ", (await DigestsAsync()).Where(digest => Tables.Contains(digest.Key)).Select(static digest => $"{digest.Key}: {digest.Value}"));
        }
        catch (DbException)
        {
            return null;
        }
    }

    /// <summary>Gets a number that changes when the types of the database are made anew.</summary>
    public int TypesVersion { get; protected set; }

    /// <summary>Makes the types of the database anew if a program has changed them.</summary>
    /// <returns>Whether the tables must be made anew, too.</returns>
    protected virtual Task<bool> ResetTypesAsync() => Task.FromResult(false);

    /// <summary>Returns whether a program may change the types of the database.</summary>
    public virtual bool ChangesTypes(EquivalenceProgram program) => false;

    /// <summary>Notes that a program has changed the types of the database.</summary>
    protected virtual void NoteTypesChanged()
    {
    }

    /// <summary>Gets what a finding needs to run elsewhere.</summary>
    public Stage Stage => new(server.Kind.IsPostgreSql(), TypesSetUp + SetUp, Database, [.. Questions, VariablesQuestion]);

    /// <summary>Gets the statements that create the types.</summary>
    protected virtual string TypesSetUp => "";

    /// <summary>Gets the statements that create the tables, views and routines.</summary>
    public abstract string SetUp { get; }

    /// <summary>Gets the names of the tables whose rows are compared.</summary>
    protected abstract IReadOnlyList<string> Tables { get; }

    /// <summary>
    /// Returns the qualified name of a table that generates keys; null for any other table. Its rows are compared by relation (see
    /// <see cref="Comparing.Keys"/>), which is not possible with a digest.
    /// </summary>
    protected abstract string? KeyedTable(string name);

    /// <summary>Returns a digest of the rows of each table, and of its next generated key, by name.</summary>
    protected abstract Task<Dictionary<string, string>> DigestsAsync();

    /// <summary>Restores the named definitions and rows.</summary>
    protected abstract Task RestoreAsync(IReadOnlySet<string> defined, IReadOnlySet<string> written);

    /// <summary>Returns whether <see cref="RestoreAsync"/> can undo the definitions of a program, and adds the names of what has changed.</summary>
    protected abstract bool CanRestore(EquivalenceProgram program, HashSet<string> changed);

    /// <summary>Gets the variables that an ordinary user may set, with values for them. The server provides the list.</summary>
    public IReadOnlyList<Setting> Settings { get; protected set; } = [];

    public static async Task<World> CreateAsync(LabServer server, int number, RefusalCounts? refusals = null)
    {
        refusals ??= new();
        World world = server.Kind.IsPostgreSql()
            ? new PgWorld(server, number) { Refusals = refusals }
            : new MySqlWorld(server, number) { Refusals = refusals };
        await world.BeginAsync();
        return world;
    }

    /// <summary>Releases what the administrator's session has accumulated. Called before each program.</summary>
    public virtual Task BeforeProgramAsync() => Task.CompletedTask;

    public abstract string ConnectionString(Side side, int poolSize);

    protected abstract Task BeginAsync();

    /// <summary>Restores the tables that have changed.</summary>
    public async Task ResetAsync()
    {
        if (await ResetTypesAsync())
            _isKnown = false;
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

    /// <summary>Discards what is known about the tables, so that all are made anew next time.</summary>
    public void Forget() => _isKnown = false;

    /// <summary>Returns the state of the tables after a program, in canonical text.</summary>
    public async Task<IReadOnlyList<string>> LeaveAsync(EquivalenceProgram program, bool inDetail)
    {
        if (ChangesTypes(program))
            NoteTypesChanged();
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

    /// <summary>Executes a statement in the administrator's session.</summary>
    public Task OutsideAsync(string sql) => ExecuteAsync(Admin, sql);

    /// <summary>Returns a value that the administrator's session reads.</summary>
    public async Task<object?> AskAsync(string sql)
    {
        await using var command = Admin.CreateCommand();
        command.CommandText = sql;
        return await command.ExecuteScalarAsync();
    }

    // Returns all rows of all tables.
    private async Task<IReadOnlyList<string>> TablesAsync()
    {
        var lines = new List<string>();
        foreach (var table in await PresentTablesAsync())
            lines.AddRange(await LinesAsync(table, Qualified(table)));
        return lines;
    }

    // Generated keys have nine digits each, so that their order is the same even if numbers were skipped.
    private async Task<IEnumerable<string>> LinesAsync(string name, string qualified) =>
        (await RowsAsync(Admin, $"SELECT * FROM {qualified}")).Order(StringComparer.Ordinal).Select(row => $"table {name}: {row}");

    protected abstract string Qualified(string table);

    protected abstract Task<IReadOnlyList<string>> PresentTablesAsync();

    /// <summary>Kills a session from outside, and waits until it has ended.</summary>
    public async Task KillAsync(long session)
    {
        await AskedAsync(Admin, string.Format(CultureInfo.InvariantCulture, Killing, session));
        for (var tries = 0; tries < 2000 && (await RowsAsync(Admin, string.Format(CultureInfo.InvariantCulture, Presence, session))).Count > 0; tries++)
            await Task.Delay(1);
    }

    /// <summary>Gets the statement that kills session {0}.</summary>
    protected abstract string Killing { get; }

    /// <summary>Gets a query that returns a row while session {0} exists.</summary>
    protected abstract string Presence { get; }

    /// <summary>Returns a statement that marks a row and takes this many milliseconds.</summary>
    public abstract string MarkSlowly(int mark, int milliseconds);

    /// <summary>Gets the queries about a session's state that the session itself executes.</summary>
    protected abstract IReadOnlyList<string> Questions { get; }

    /// <summary>Gets the queries about a session's state that another session executes; {0} is the session's number.</summary>
    protected abstract IReadOnlyList<string> QuestionsFromOutside { get; }

    /// <summary>Gets the query for the names and values of all variables of a session.</summary>
    protected abstract string VariablesQuestion { get; }

    /// <summary>Returns whether a variable differs between two new sessions.</summary>
    protected abstract bool IsVolatile(string name);

    /// <summary>Returns the parts of a session's state by name.</summary>
    public async Task<IReadOnlyDictionary<string, string>> StateAsync(DbConnection connection, Driver driver, bool asksKeyFirst)
    {
        var state = new Dictionary<string, string>(StringComparer.Ordinal);
        // Query the state either after a statement that does not depend on the previous lease, or at once.
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

    /// <summary>Returns the answer to one of <see cref="QuestionsFromOutside"/>.</summary>
    protected virtual Task<string> AskFromOutsideAsync(string question, long session) =>
        AskedAsync(Admin, string.Format(CultureInfo.InvariantCulture, question, session));

    /// <summary>Gets a query that covers most of a session's state in one answer.</summary>
    protected abstract string Digest { get; }

    /// <summary>Returns the digest of a session's state, and the answers to further queries in turn, because each costs a round trip.</summary>
    public async Task<IReadOnlyDictionary<string, string>> DigestAsync(DbConnection connection, Driver driver, bool asksKeyFirst, int turn)
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

    /// <summary>Gets those of <see cref="Questions"/> that the digest does not cover.</summary>
    protected abstract IReadOnlyList<string> Asides { get; }

    /// <summary>Returns the state of a new session: its digest and all parts.</summary>
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
        if (_gateways is { } gateways)
            await gateways.DisposeAsync();
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

    // Values that cannot be converted, such as zero dates, become text.
    private static object Raw(DbDataReader reader, int i)
    {
        try
        {
            return reader.GetValue(i);
        }
        catch (Exception exception) when (exception is InvalidCastException or FormatException or OverflowException or DbException)
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
/// <param name="Name">The name.</param>
/// <param name="Values">The values to set it to, as SQL.</param>
internal sealed record Setting(string Name, IReadOnlyList<string> Values);
