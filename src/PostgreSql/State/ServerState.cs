using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.State;

/// <summary>
/// What is known of a session of the server: its settings as it reports them, where its transaction stands, what may have another meaning by now.
/// </summary>
/// <param name="prepared">Closed when it may mean something else.</param>
/// <param name="settings">As the server has reported them at the login.</param>
internal sealed class ServerState(PreparedStatements prepared, Dictionary<string, string> settings)
{
    /// <summary>Settings that a server reports: it has a dozen, and one that makes up new ones without end fills no memory.</summary>
    private const int MostSettings = 1000;

    private TransactionStatus _transactionStatus = TransactionStatus.Idle;
    // A setting was changed, and what becomes of that is known when the transaction ends.
    private bool _changesMayEnd;
    private bool _pathHasMoved;
    private bool _pathMayGoBack;
    // Something was made, renamed or dropped, and may be undone.
    private bool _namesMayGoBack;
    private bool _isDiscarding;

    /// <summary>As of the last ReadyForQuery.</summary>
    public TransactionStatus TransactionStatus
    {
        get => _transactionStatus;
        set
        {
            _transactionStatus = value;
            Beginning = null;
            if (value == TransactionStatus.Idle)
            {
                TransactionEnded();
                _namesMayGoBack = false;
            }

            if (_pathMayGoBack && value == TransactionStatus.Idle)
                MovePath(mayGoBack: false);
            if (_changesMayEnd && value == TransactionStatus.Idle)
                EndChanges();
        }
    }

    public bool IsInTransaction => _transactionStatus != TransactionStatus.Idle;

    /// <summary>The settings that the server reports, by name.</summary>
    public IReadOnlyDictionary<string, string> Settings => settings;

    /// <summary>
    /// The names in a prepared statement stand for what they meant when it was prepared,
    /// and the server notices only changes of just those objects and of search_path:
    /// after anything that may put another object in their place all are prepared anew. Source: PostgreSQL 18, PREPARE, "Notes".
    /// </summary>
    public void NamesMayMeanOthers() => prepared.CloseAll();

    /// <summary>
    /// Only DISCARD ALL brings the session back to what it was: its settings are not the ones that it was opened with, so that what was prepared belongs to
    /// others; or the user has given names to statements of his own.
    /// </summary>
    public bool MustDiscardAll
    {
        get => field || ResetsWhole;
        private set;
    }

    /// <summary>
    /// A statement has run, or failed, that may have changed settings: what was prepared before may mean something else now, what follows may not mean it for
    /// ever.
    /// </summary>
    public void SettingsMayHaveChanged(SettingsEffect effect)
    {
        MustDiscardAll |= effect == SettingsEffect.Session;
        _changesMayEnd = true;
        NamesMayMeanOthers();
    }

    /// <summary>A reset drops what is prepared, too.</summary>
    public bool ResetsWhole { get; set; }

    /// <summary>A number for search_path: another one after each time that it may have changed.</summary>
    public int Path { get; private set; }

    /// <summary>A statement has run that may have changed search_path; when its transaction ends it may go back.</summary>
    public void PathMayHaveMoved()
    {
        _pathHasMoved = true;
        MovePath(mayGoBack: true);
    }

    /// <summary>A reset brings it back to what it was at the opening.</summary>
    public void PathGoesBack()
    {
        if (_pathHasMoved)
            MovePath(mayGoBack: false);
        _pathHasMoved = false;
    }

    private void MovePath(bool mayGoBack)
    {
        Path++;
        _pathMayGoBack = mayGoBack;
    }

    /// <summary>A number for the transaction: another one when locks that it took may have been given back.</summary>
    public int TransactionNumber { get; private set; } = 1;

    /// <summary>BEGIN stands in front of the next command, or of the one under way: nothing has run in that transaction.</summary>
    public bool BeginsTransaction => Beginning is not null;

    /// <summary>That BEGIN; null when there is none.</summary>
    public string? Beginning { get; set; }

    /// <summary>A transaction has ended; another may have begun with it (COMMIT AND CHAIN, or a BEGIN behind it in one send).</summary>
    public void TransactionEnded() => TransactionNumber++;

    /// <summary>A transaction was committed by a statement, behind which another may have begun: what was set for the first has ended with it.</summary>
    public void Committed()
    {
        TransactionEnded();
        _namesMayGoBack = false;
        if (_pathMayGoBack)
            MovePath(mayGoBack: false);
        if (_changesMayEnd)
            EndChanges();
    }

    /// <summary>A transaction was undone, whole or to a savepoint: changes of settings and of names with it, and locks.</summary>
    public void RolledBack()
    {
        TransactionEnded();
        if (_pathMayGoBack)
            MovePath(mayGoBack: true);
        if (_changesMayEnd || _namesMayGoBack)
            NamesMayMeanOthers();
    }

    /// <summary>An error has undone what stands in front of it, unless a transaction is open, which will be rolled back.</summary>
    public void Refused()
    {
        if (_namesMayGoBack)
            NamesMayMeanOthers();
    }

    /// <summary>A name may stand for another object now, and until that is undone.</summary>
    public void NamesHaveMoved()
    {
        _namesMayGoBack = true;
        NamesMayMeanOthers();
    }

    /// <summary>
    /// Something was dropped. The server plans anew what has used it; but what finds another object by that name now does not notice when the first comes back.
    /// </summary>
    public void NamesMayGoBack() => _namesMayGoBack = true;

    /// <summary>The user has prepared a statement under a name of his own, which nobody knows who could drop it.</summary>
    public void NamesStatements() => MustDiscardAll = true;

    /// <summary>DISCARD ALL stands in front of what is encoded next: nothing is prepared from there on.</summary>
    public void BeginDiscardingAll()
    {
        prepared.ClearAll();
        MustDiscardAll = _changesMayEnd = false;
        _isDiscarding = true;
    }

    /// <summary>It has been answered.</summary>
    public void EndDiscardingAll() => _isDiscarding = false;

    private void EndChanges()
    {
        _changesMayEnd = false;
        NamesMayMeanOthers();
    }

    /// <summary>The server has reported a setting: it may have been changed inside a function, or by its administrator.</summary>
    public void TakeSetting(ParameterStatus status)
    {
        var isKnown = settings.TryGetValue(status.Name, out var before);
        if (!isKnown && settings.Count >= MostSettings)
            return;
        settings[status.Name] = status.Value;
        if (_isDiscarding || before == status.Value || SettingsChange.IsHarmless(status.Name))
            return;
        MustDiscardAll = true;
        NamesMayMeanOthers();
    }
}
