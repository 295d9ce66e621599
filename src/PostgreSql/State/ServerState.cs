using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Statements;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.State;

/// <summary>The known state of a server session: its settings as it reports them, its transaction, and what its names may mean by now.</summary>
/// <param name="prepared">The prepared statements, which are closed when their names may mean something else.</param>
/// <param name="settings">The settings that the server reported at login.</param>
/// <param name="types">The types of the database.</param>
/// <param name="searchPath">The search_path that the client sent at login; empty if it sent none.</param>
internal sealed class ServerState(PreparedStatements prepared, Dictionary<string, string> settings, TypeSource types, string searchPath)
{
    /// <summary>
    /// The most reported settings that are kept. A server has a dozen; the limit keeps one that invents new settings without end from filling the memory.
    /// </summary>
    private const int MaxSettings = 1000;

    /// <summary>Where search_path stands.</summary>
    private enum SearchPath : byte
    {
        // As at the opening of the session.
        Initial,

        // A statement may have changed it.
        Moved,

        // A statement of the open transaction may have changed it: the end of the transaction may change it back.
        MayGoBack,
    }

    /// <summary>What the open transaction may have changed, besides search_path. Its end may change that back.</summary>
    [Flags]
    private enum OpenChanges : byte
    {
        None = 0,
        Settings = 1,

        // An object was created, renamed or dropped.
        Names = 2,
    }

    private TransactionStatus _transactionStatus = TransactionStatus.Idle;
    private SearchPath _searchPath;
    private OpenChanges _changes;

    private readonly LoginSettings _login = new(settings, searchPath);

    // A reset is under way that drops all prepared statements, or restores the settings: the server reports the settings that it resets.
    private bool _isDiscarding;

    /// <summary>The status in the last ReadyForQuery.</summary>
    public TransactionStatus TransactionStatus
    {
        get => _transactionStatus;
        set
        {
            _transactionStatus = value;
            Beginning = null;
            if (value == TransactionStatus.Idle)
                TransactionEnded();
        }
    }

    /// <summary>The types of the database, which other sessions may load again.</summary>
    public TypeSource TypeSource => types;

    /// <summary>The types of the database that are known now.</summary>
    public TypeCatalogue Types => types.Current;

    public bool IsInTransaction => _transactionStatus != TransactionStatus.Idle;

    /// <summary>The settings that the server reports, by name.</summary>
    public IReadOnlyDictionary<string, string> Settings => settings;

    // ---------------------------------------------------------------- transactions

    /// <summary>A number for the transaction. It changes when locks that the transaction took may have been released.</summary>
    public int TransactionNumber { get; private set; } = 1;

    /// <summary>A number for the transaction that a savepoint does not change, as what the server keeps to its end.</summary>
    public int WholeTransaction { get; private set; } = 1;

    /// <summary>Whether a BEGIN was sent directly before the next command, or before the current one: nothing has run in that transaction.</summary>
    public bool BeginsTransaction => Beginning is not null;

    /// <summary>That BEGIN; null if there is none.</summary>
    public string? Beginning { get; set; }

    // A commit, or a ReadyForQuery outside a transaction, shows it. Another transaction may have begun at once (COMMIT AND CHAIN, or a BEGIN after it in one
    // send), but what was changed only for the first has ended with it.
    private void TransactionEnded()
    {
        TransactionNumber++;
        WholeTransaction++;
        if (_searchPath == SearchPath.MayGoBack)
            MovePath(SearchPath.Moved);
        var changes = _changes;
        _changes = OpenChanges.None;
        if ((changes & OpenChanges.Settings) != 0)
            InvalidateNames();
    }

    /// <summary>A transaction was rolled back, completely or to a savepoint, and with it its changes of settings and names, and its locks.</summary>
    public void RolledBack()
    {
        TransactionNumber++;
        if (_searchPath == SearchPath.MayGoBack)
            MovePath(SearchPath.MayGoBack);
        if (_changes != OpenChanges.None)
            InvalidateNames();
    }

    /// <summary>An error has undone what ran before it. (An open transaction will be rolled back.)</summary>
    public void Refused()
    {
        if ((_changes & OpenChanges.Names) != 0)
            InvalidateNames();
    }

    // ---------------------------------------------------------------- what statements change

    /// <summary>A statement of a command has completed.</summary>
    /// <param name="complete">The server's answer.</param>
    /// <param name="part">The statement.</param>
    /// <param name="hasColumns">Whether its result has columns.</param>
    public void Completed(CommandComplete complete, StatementPart part, bool hasColumns)
    {
        if (part.Effect != SettingsEffect.None)
            SettingsMayHaveChanged(part.Effect);
        if (part.MovesPath)
            PathMayHaveMoved();
        if (complete.Prepares)
            MustDiscardAll = true;
        else if (complete.RollsBack)
            RolledBack();
        else if (complete.EndsTransaction)
            TransactionEnded();
        else if (complete.DropsPrepared)
            prepared.Clear();
        else if (complete.MayMoveNames || (complete.Kind == CommandKind.Select && !hasColumns))
            NamesHaveMoved();
        else if (complete.FreesNames)
            NamesMayBeRestored();
    }

    /// <summary>
    /// A statement that may have changed settings has run, or failed. What was prepared before may now mean something else, and what follows may not keep its
    /// meaning.
    /// </summary>
    public void SettingsMayHaveChanged(SettingsEffect effect)
    {
        MustDiscardAll |= effect == SettingsEffect.Session;
        _changes |= OpenChanges.Settings;
        InvalidateNames();
    }

    /// <summary>
    /// Closes all prepared statements. Their names keep the meaning that they had when the statement was prepared, and the server notices only changes of
    /// exactly those objects and of search_path. Anything that may put another object in their place makes all statements stale.
    /// Source: PostgreSQL 18, PREPARE, "Notes".
    /// </summary>
    public void InvalidateNames() => prepared.CloseAll();

    // A name may stand for another object, until that is undone.
    private void NamesHaveMoved()
    {
        _changes |= OpenChanges.Names;
        InvalidateNames();
    }

    // An object was dropped. The server plans the statements that used it anew. But a statement that now finds another object by that name does not notice when
    // the first comes back.
    private void NamesMayBeRestored() => _changes |= OpenChanges.Names;

    /// <summary>A number for search_path. It changes each time that search_path may have changed.</summary>
    public int Path { get; private set; }

    // A statement has run that may have changed search_path. The end of its transaction may change it back.
    private void PathMayHaveMoved() => MovePath(SearchPath.MayGoBack);

    /// <summary>A reset changes search_path back to what it was at the opening.</summary>
    public void RestorePath()
    {
        if (_searchPath != SearchPath.Initial)
            MovePath(SearchPath.Initial);
    }

    private void MovePath(SearchPath to)
    {
        Path++;
        _searchPath = to;
    }

    // ---------------------------------------------------------------- reset

    /// <summary>
    /// Whether only DISCARD ALL restores the session: its settings are not those with which it was opened, so that its prepared statements belong to other
    /// settings; or the user has prepared statements under names that the driver does not know.
    /// </summary>
    public bool MustDiscardAll
    {
        get => field || ResetsWhole;
        private set;
    }

    /// <summary>Whether a reset always drops the prepared statements, too.</summary>
    public bool ResetsWhole { get; set; }

    /// <summary>
    /// Whether a pooler such as PgBouncer is between the driver and the server, which may run each transaction in another of its sessions. It opened them
    /// without the settings of this client, and sets these later: RESET ALL loses them. It also lists the statements that it prepared, and the list is wrong
    /// after a DISCARD ALL that another command follows in the same send.
    /// </summary>
    public bool IsBehindPooler { get; set; }

    /// <summary>The calls that restore the settings of the login, each after a comma: the rest of a SELECT.</summary>
    public ReadOnlySpan<byte> LoginSettings => _login.Calls;

    /// <summary>
    /// A reset that restores the settings of the login will be sent before what is encoded next. If only DISCARD ALL restores the session, the driver closes
    /// its prepared statements instead.
    /// </summary>
    public void BeginRestoring()
    {
        if (MustDiscardAll)
            prepared.CloseAll();
        BeginDiscarding();
    }

    /// <summary>DISCARD ALL will be sent before what is encoded next: no statement is prepared from there on.</summary>
    public void BeginDiscardingAll()
    {
        prepared.ClearAll();
        BeginDiscarding();
    }

    private void BeginDiscarding()
    {
        MustDiscardAll = false;
        _changes &= ~OpenChanges.Settings;
        _isDiscarding = true;
    }

    /// <summary>The reset has been answered. Without a pooler, it restores what the client set at login.</summary>
    public void EndReset()
    {
        _isDiscarding = false;
        IsBehindPooler |= !_login.Holds(settings);
    }

    /// <summary>The server has reported a setting: a function may have changed it, or the server's administrator.</summary>
    public void TakeSetting(ParameterStatus status)
    {
        var isKnown = settings.TryGetValue(status.Name, out var before);
        if (!isKnown && settings.Count >= MaxSettings)
            return;
        settings[status.Name] = status.Value;
        if (_isDiscarding || before == status.Value || SettingsChange.IsHarmless(status.Name))
            return;
        MustDiscardAll = true;
        InvalidateNames();
    }
}
