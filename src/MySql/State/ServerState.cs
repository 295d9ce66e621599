using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Errors;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.State;

/// <summary>What the server has said of itself and of the session: what both sides can do, what OK packets tell, and what is proven by it.</summary>
internal sealed class ServerState
{
    /// <summary>ER_MUST_CHANGE_PASSWORD.</summary>
    public const int MustChangePassword = 1820;

    // Both: without DEPRECATE_EOF the end of a result set says nothing of the session.
    private const Capabilities Tracking = Capabilities.SessionTrack | Capabilities.DeprecateEof;

    private readonly ISessionHost _session;
    private readonly PreparedStatements _prepared;
    private readonly InitialHandshake _greeting;
    private readonly ServerStatus _openingStatus;
    private ServerStatus _status;
    private bool _ansiQuotes;
    private bool _initialAnsiQuotes;
    private string? _sqlMode;
    private bool _isIdle = true;
    private int _unprovenAtReset;
    private bool _ranOpaque;
    private bool _mayHaveHiddenRole;
    private bool _isOracle;
    private bool _modeIsAssumed = true;
    private bool _modeIsDoubtful;
    private bool _toldNoBackslashEscapes;
    private bool _toldCharacterSet;
    private bool _toldForeign;
    private bool _toldModeInside;
    private bool _learnsInside;
    private bool _ansiFlagChanged;
    private bool _mayHold;
    private bool _mayBeInTransaction;
    private bool _awaitsCharacterSet;
    private string? _lastCharacterSet;
    private bool _isRepeatableRead;
    private LiteralRules _foreign;

    /// <param name="session">Whose state it is.</param>
    /// <param name="prepared">Closed when it may mean something else.</param>
    /// <param name="greeting">The server's.</param>
    /// <param name="agreed">What both sides can do.</param>
    /// <param name="status">As of the login.</param>
    /// <param name="codecs">How values are read and written.</param>
    public ServerState(
        ISessionHost session, PreparedStatements prepared, InitialHandshake greeting, Capabilities agreed, ServerStatus status, CodecSettings codecs)
    {
        _session = session;
        _prepared = prepared;
        _greeting = greeting;
        _status = _openingStatus = status;
        NamesTransactionIsolation = greeting.NamesTransactionIsolation;
        Capabilities = agreed;
        Codecs = codecs;
    }

    /// <summary>Gets what both sides can do.</summary>
    public Capabilities Capabilities { get; }

    /// <summary>Gets whether rows end with an OK packet. Otherwise they end with EOF, and EOF also follows definitions.</summary>
    public bool DeprecatesEof => (Capabilities & Capabilities.DeprecateEof) != 0;

    /// <summary>Gets whether the server may leave out column definitions that it has sent before.</summary>
    public bool CachesMetadata => (Capabilities & Capabilities.CacheMetadata) != 0;

    /// <summary>Gets whether OK packets may report changes of the session.</summary>
    public bool TracksSession => (Capabilities & Capabilities.SessionTrack) != 0;

    /// <summary>How values are read and written.</summary>
    public CodecSettings Codecs { get; }

    /// <summary>
    /// True from the server's first answer that the account's password must be changed. Until it is, the server takes little else, and no reset:
    /// no lease follows.
    /// </summary>
    public bool IsPasswordExpired { get; private set; }

    public bool IsMariaDb => _greeting.IsMariaDb;

    /// <summary>See <see cref="InitialHandshake.NamesTransactionIsolation"/>.</summary>
    public bool NamesTransactionIsolation { get; }

    public string ServerVersion => _greeting.ServerVersion;

    /// <summary>
    /// True when the server settles the types of parameters at PREPARE, and says which: MySQL since 8.0.22. Others take them from each execution.
    /// All of 8.0 counts, because a proxy may call itself 8.0.11 whatever is behind it.
    /// </summary>
    public bool SettlesTypes => !IsMariaDb && !(Version.TryParse(ServerVersion.Split('-', '+', ' ')[0], out var version) && version.Major < 8);

    /// <summary>Whether "the statement prepared last" has a number: in MariaDB since 10.2.</summary>
    public bool NumbersLastPrepared => IsMariaDb && (_greeting.Capabilities & Capabilities.BulkOperations) != 0;

    /// <summary>The server says that a transaction is open.</summary>
    public bool IsInTransaction => (_status & ServerStatus.InTransaction) != 0;

    /// <summary>A statement commits by itself.</summary>
    public bool HasAutocommit => (_status & ServerStatus.Autocommit) != 0;

    /// <summary>A statement commits by itself behind a reset.</summary>
    public bool ResetsToAutocommit => (_openingStatus & ServerStatus.Autocommit) != 0;

    /// <summary>The default database, as far as the server has said.</summary>
    public string Database { get; set; } = "";

    /// <summary>How the server reads quotes now.</summary>
    public QuotingRules Quoting => (HasNoBackslashEscapes ? QuotingRules.NoBackslashEscapes : 0)
        | (HasAnsiQuotes ? QuotingRules.AnsiQuotes : 0);

    /// <summary>Takes note of an error.</summary>
    public void Refused(ServerError error)
    {
        if (error.Number == MustChangePassword)
        {
            // Nobody uses the session again, and until the password is changed the server refuses the statement that clears the warnings, too.
            IsPasswordExpired = true;
            _session.ServeOnce();
        }
        else
            LeftWarnings(1);

        _mayBeInTransaction |= _mayHold || (_status & ServerStatus.Autocommit) == 0;
        // A block of MariaDB's that failed behind its SET NAMES has set it.
        _toldForeign |= _foreign != LiteralRules.None;
        if (IsInTransaction && ErrorKinds.EndsTransaction(error.Number, IsMariaDb))
        {
            // An answer with an error has no flags.
            _status &= ~ServerStatus.InTransaction;
            _session.LoseTransaction(error);
        }
    }

    /// <summary>Of the connection's character set: it is, or may be, another than the handshake asked for.</summary>
    public bool CharacterSetChanged { get; set; }

    /// <summary>A text of the user's may have set a role.</summary>
    public bool MayHaveSetRole { get; private set; }

    /// <summary>A text of the user's may have changed what the server tells.</summary>
    public bool MayHideChanges { get; private set; }

    /// <summary>See <see cref="MadeKey"/>.</summary>
    public bool LeavesKey { get; set; }

    /// <summary>See <see cref="LeftWarnings"/>.</summary>
    public bool LeavesWarnings { get; set; }

    /// <summary>
    /// True from the server's confirmation that its OK packets tell every change of the session's state until the next reset, which
    /// switches that off; false from a text that may change what they tell.
    /// </summary>
    public bool TrackerIsOn
    {
        get => field && !MayHideChanges;
        private set;
    }

    /// <summary>
    /// Goes up with everything behind which the session's state is not known: an error, a change that the server told of, a statement that may
    /// change more than the server tells. Two equal values mean that nothing of the kind came in between.
    /// </summary>
    public int StateVersion { get; private set; }

    /// <summary>Whether it is known which role the session has.</summary>
    public bool RoleIsKnown => !_ranOpaque || (TrackerIsOn && !_mayHaveHiddenRole);

    /// <summary>Since MariaDB 10.2, and not in the language of another database.</summary>
    public bool CanSetDefaultRole => (_greeting.Capabilities & Capabilities.BulkOperations) != 0 && !_isOracle;

    /// <summary>
    /// How values stand in a text. A reset takes sql_mode from the server's global one, which may be another than when the session was opened,
    /// and a new session may have been changed by init_connect: until an answer has come, and always where the server does not tell of the client's character
    /// set, they are written so that they are read as what they are in any case.
    /// </summary>
    /// <remarks>
    /// A procedure that sets sql_mode leaves the flag in its caller's OK packets, although the mode is its caller's again (seen on MySQL 9.7 and MariaDB 10.11
    /// and 11.8): once the flag has changed, it is not believed before the next reset. MariaDB's flag of ANSI_QUOTES is not believed against the tracker.
    /// A procedure that sets the character set tells of it and gives it back untold.
    /// </remarks>
    public LiteralRules Literals => _foreign | (AreQuotesDoubtful || (_modeIsDoubtful && !ModeIsTold) ? LiteralRules.DoubtfulMode : 0)
        | (_modeIsAssumed || _modeIsDoubtful || !TrackerIsOn || !_toldCharacterSet ? LiteralRules.Unknown
            : (_status & ServerStatus.NoBackslashEscapes) != 0 ? LiteralRules.NoBackslashEscapes : 0);

    /// <summary>True when the server has told that it takes what comes for utf8mb4, and of nothing else since the last reset.</summary>
    public bool SpeaksUtf8 => TrackerIsOn && _toldCharacterSet && _foreign == LiteralRules.None;

    /// <summary>
    /// Whether the server may read a prepared statement's texts in another character set than the driver writes. In a text they then travel as digits.
    /// </summary>
    /// <remarks>
    /// Less strict than <see cref="Literals"/>: between two commands the set that was told of last is the one in force, whoever set it, unless it was told
    /// behind the rows of a procedure, which gives it back untold, or an error came, which tells nothing.
    /// </remarks>
    public bool MayReadForeign => MayHideChanges || (TrackerIsOn && _toldCharacterSet ? _toldForeign : _foreign != LiteralRules.None);

    private bool ModeIsTold =>
        TrackerIsOn && _sqlMode is not null && !_toldModeInside && _toldNoBackslashEscapes == ((_status & ServerStatus.NoBackslashEscapes) != 0);

    private bool FlagsAnsiQuotes => IsMariaDb && (_status & ServerStatus.AnsiQuotes) != 0;

    private bool AreQuotesDoubtful => TrackerIsOn && _sqlMode is not null ? IsMariaDb && FlagsAnsiQuotes != _ansiQuotes : _ansiFlagChanged;

    private bool HasAnsiQuotes => _ansiQuotes || (FlagsAnsiQuotes && !(TrackerIsOn && _sqlMode is not null));

    // The tracker tells the mode as it is at the end of a statement; the flag may be that of a procedure that has ended.
    private bool HasNoBackslashEscapes => _modeIsDoubtful && TrackerIsOn && _sqlMode is not null
        ? _toldNoBackslashEscapes
        : (_status & ServerStatus.NoBackslashEscapes) != 0;

    /// <summary>True while nothing has happened since the last reset (or the opening) of which a next user could see a trace.</summary>
    public bool IsClean => TrackerIsOn && StateVersion == _unprovenAtReset && _isIdle && !CharacterSetChanged
        && (_status & (ServerStatus.Autocommit | ServerStatus.InTransaction)) == ServerStatus.Autocommit;

    /// <summary>
    /// True when it is known that the next transaction is one of REPEATABLE READ: the server has said so, and nothing that may have changed it, for one
    /// transaction or for all, came since.
    /// </summary>
    public bool IsRepeatableRead => _isRepeatableRead && TrackerIsOn && StateVersion == _unprovenAtReset;

    /// <summary>
    /// True when it is known that START TRANSACTION ends nothing that is there: no transaction, no table locks, no SET TRANSACTION for the next one.
    /// </summary>
    public bool HoldsNothing => !_mayHold && (_status & (ServerStatus.Autocommit | ServerStatus.InTransaction)) == ServerStatus.Autocommit;

    /// <summary>An answer with an error has no flags: without autocommit, or in a procedure, what failed may have begun a transaction.</summary>
    public bool MayHideTransaction => !IsInTransaction && _mayBeInTransaction;

    /// <summary>START TRANSACTION was answered: what was held before is not any more.</summary>
    public void ForgetHeld() => _mayHold = false;

    /// <summary>What no text shows is about to run: it may begin a transaction that no flag tells of, or lock tables.</summary>
    public void MarkHeld() => _mayHold = true;

    /// <summary>Whether the server has a tracker that both sides can speak of.</summary>
    public bool IsTracked => (Capabilities & Tracking) == Tracking;

    /// <summary>Something happened that may have changed more of the session than the server tells.</summary>
    public void MarkDirty() => StateVersion++;

    /// <summary>A statement is about to run that may change more of the session than the server tells.</summary>
    public void MarkDirty(MySqlStatement statement)
    {
        MarkDirty();
        MayHaveSetRole |= statement.MaySetRole;
        _ranOpaque |= IsMariaDb && statement.MayRunStored;
        MayHideChanges |= statement.MayHideChanges;
        _mayHold |= statement.MayHold(IsMariaDb);
        // Only of a plain SET it is known that the last set told of is the last one set.
        _awaitsCharacterSet = statement.MaySetCharacterSet;
        if (!_awaitsCharacterSet)
            return;
        _foreign = LiteralRules.ForeignCharacters;
        _awaitsCharacterSet = !statement.MayRunStored;
    }

    /// <summary>Takes note of an OK packet in answer to a user's statement; the reader stands behind its fixed fields.</summary>
    /// <param name="ok">Its fixed fields.</param>
    /// <param name="reader">Stands behind them.</param>
    /// <param name="isInside">It ends rows behind which more comes: what is told here was set by a procedure that still runs, and gives it back untold.</param>
    public void Learn(in Ok ok, ref ByteReader reader, bool isInside = false)
    {
        Learn(ok.Status);
        LeftWarnings(ok.Warnings);
        _lastCharacterSet = null;
        _learnsInside = isInside;
        if ((ok.Status & ServerStatus.SessionStateChanged) != 0 && TracksSession && Learn(ref reader))
        {
            MarkDirty();
            _mayHaveHiddenRole |= _ranOpaque;
        }

        _learnsInside = false;
        if (!_awaitsCharacterSet || isInside)
            return;
        _awaitsCharacterSet = false;
        if (_lastCharacterSet == "utf8mb4")
            _foreign = LiteralRules.None;
    }

    /// <summary>Takes note of an OK packet in answer to a command of the driver's own, which leaves no trace that it does not know of.</summary>
    /// <param name="ok">Its fixed fields.</param>
    /// <param name="reader">Stands behind them.</param>
    /// <param name="isTracker">The answer to the tracker's settings.</param>
    public void LearnOwn(in Ok ok, ref ByteReader reader, bool isTracker)
    {
        Learn(ok.Status);
        var told = (ok.Status & ServerStatus.SessionStateChanged) != 0 && TracksSession && Learn(ref reader);
        // Only a tracker that tells of its own settings is one: a proxy may take them and tell nothing.
        if (isTracker)
            TrackerIsOn = told;
    }

    /// <summary>Takes note of the status flags of an EOF packet.</summary>
    public void Learn(ServerStatus status)
    {
        _modeIsDoubtful |= !_modeIsAssumed && ((status ^ _status) & ServerStatus.NoBackslashEscapes) != 0;
        _ansiFlagChanged |= IsMariaDb && !_modeIsAssumed && ((status ^ _status) & ServerStatus.AnsiQuotes) != 0;
        _status = status;
        _mayBeInTransaction = _modeIsAssumed = false;
    }

    /// <summary>A reset brings back the server's settings and switches the tracker off.</summary>
    public void ForgetTracked()
    {
        const ServerStatus Quotes = ServerStatus.NoBackslashEscapes | ServerStatus.AnsiQuotes;
        // What is glued behind the reset is written under the rules in force then, not under those that the last user chose.
        _status = (_status & ~Quotes) | (_openingStatus & Quotes);
        _modeIsAssumed = true;
        _ansiQuotes = _initialAnsiQuotes;
        _sqlMode = null;
        _modeIsDoubtful = _toldCharacterSet = _toldForeign = _toldModeInside = _ansiFlagChanged = false;
        _foreign = LiteralRules.None;
        MayHideChanges = _awaitsCharacterSet = false;
        _isIdle = true;
        _ranOpaque = _mayHaveHiddenRole = false;
        TrackerIsOn = false;
        _unprovenAtReset = StateVersion;
        LeavesKey = LeavesWarnings = _isRepeatableRead = _mayHold = _mayBeInTransaction = false;
    }

    /// <summary>
    /// A statement may have made a key. LAST_INSERT_ID() keeps it, in tables' triggers and in views too: it is undone before the next lease, which needs no
    /// reset for that.
    /// </summary>
    public void MadeKey() => LeavesKey = true;

    /// <summary>
    /// A statement or a PREPARE was warned of, or refused: an error is one of the warnings. MariaDB keeps the warnings behind statements that use no table:
    /// they are undone before the next lease, which needs no reset for that. In MySQL every statement but SHOW WARNINGS replaces them.
    /// </summary>
    public void LeftWarnings(int count) => LeavesWarnings |= IsMariaDb && count > 0;

    /// <summary>True when the server said that something of the session was changed.</summary>
    private bool Learn(ref ByteReader reader)
    {
        var changes = SessionChanges.Read(ref reader);
        if (changes.IsIdle is { } isIdle)
            _isIdle = isIdle;
        if (changes.Schema is { } schema)
        {
            if (schema != Database)
                _prepared.ForgetAll();
            Database = schema;
        }

        if (changes.Variables is { } variables)
            foreach (var (name, value) in variables)
                LearnVariable(name, value);
        return changes.StateChanged || changes.Schema is not null || changes.Variables is not null;
    }

    private void LearnVariable(string name, string value)
    {
        switch (name)
        {
            case "character_set_client" or "character_set_connection" or "character_set_results":
                CharacterSetChanged |= value != "utf8mb4";
                if (name == "character_set_client")
                {
                    _toldCharacterSet = true;
                    _lastCharacterSet = value;
                    _toldForeign = _learnsInside || value != "utf8mb4";
                    if (value != "utf8mb4")
                        _foreign = LiteralRules.ForeignCharacters;
                }

                if (name == "character_set_connection")
                    _prepared.ForgetAll();
                break;
            case "collation_connection":
                // Its value as new is known to the server only; MariaDB keeps it behind a reset.
                CharacterSetChanged = true;
                _prepared.ForgetAll();
                break;
            case "sql_mode":
                // MySQL has no status flag for ANSI_QUOTES.
                _ansiQuotes = value.Contains("ANSI", StringComparison.OrdinalIgnoreCase);
                if (_sqlMode is null)
                {
                    _initialAnsiQuotes = _ansiQuotes;
                    _isOracle = value.Contains("ORACLE", StringComparison.OrdinalIgnoreCase);
                }
                else if (_sqlMode != value || _toldModeInside)
                    _prepared.ForgetAll();
                _sqlMode = value;
                _toldModeInside = _learnsInside;
                _modeIsDoubtful |= _learnsInside;
                _toldNoBackslashEscapes = value.Contains("NO_BACKSLASH_ESCAPES", StringComparison.OrdinalIgnoreCase);
                break;
            case "transaction_isolation" or "tx_isolation":
                _isRepeatableRead = value == "REPEATABLE-READ";
                break;
            case "session_track_state_change" or "session_track_system_variables":
                TrackerIsOn = false;
                break;
            default:
                if (!SettingsChange.IsHarmless(name))
                    _prepared.ForgetAll();
                break;
        }
    }
}
