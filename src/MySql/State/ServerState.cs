using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Errors;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.State;

/// <summary>What the server has reported about itself and about the session, and what follows from that.</summary>
internal sealed class ServerState
{
    /// <summary>ER_MUST_CHANGE_PASSWORD.</summary>
    public const int MustChangePassword = 1820;

    // Both: without DEPRECATE_EOF the end of a result set reports nothing about the session.
    private const Capabilities Tracking = Capabilities.SessionTrack | Capabilities.DeprecateEof;

    // Whether the server's OK packets report every change of the session's state.
    private enum Tracker : byte
    {
        Off,
        On,

        /// <summary>A text of the user's may have changed what the server reports.</summary>
        Doubtful,
    }

    // Whether it is known which role the session has, as far as no text shows it.
    private enum Role : byte
    {
        Known,

        /// <summary>MariaDB has run something that no text shows. It may have set a role, which the tracker reports as a change.</summary>
        MayBeSet,

        /// <summary>After that, the tracker has reported a change.</summary>
        Unknown,
    }

    private readonly ISessionHost _session;
    private readonly PreparedStatements _prepared;
    private readonly InitialHandshake _greeting;
    private readonly SqlMode _mode;
    private readonly ClientCharacterSet _characterSet = new();
    private readonly TransactionState _transaction;
    private Tracker _tracker;
    private Role _role;
    private int _versionAtReset;

    /// <param name="session">The session.</param>
    /// <param name="prepared">The prepared statements, which are closed if they may have another meaning.</param>
    /// <param name="greeting">The server's greeting.</param>
    /// <param name="agreed">What both sides can do.</param>
    /// <param name="status">The status flags of the login.</param>
    /// <param name="codecs">How values are read and written.</param>
    public ServerState(
        ISessionHost session, PreparedStatements prepared, InitialHandshake greeting, Capabilities agreed, ServerStatus status, CodecSettings codecs)
    {
        _session = session;
        _prepared = prepared;
        _greeting = greeting;
        _mode = new SqlMode(greeting.IsMariaDb, status);
        _transaction = new TransactionState(status);
        NamesTransactionIsolation = greeting.NamesTransactionIsolation;
        Capabilities = agreed;
        Codecs = codecs;
    }

    // ---------------------------------------------------------------- the server

    /// <summary>Gets what both sides can do.</summary>
    public Capabilities Capabilities { get; }

    /// <summary>Gets whether rows end with an OK packet. Otherwise they end with EOF, and EOF also follows definitions.</summary>
    public bool DeprecatesEof => (Capabilities & Capabilities.DeprecateEof) != 0;

    /// <summary>Gets whether the server may leave out column definitions that it has sent before.</summary>
    public bool CachesMetadata => (Capabilities & Capabilities.CacheMetadata) != 0;

    /// <summary>Gets whether OK packets may report changes of the session.</summary>
    public bool TracksSession => (Capabilities & Capabilities.SessionTrack) != 0;

    /// <summary>Gets whether the server has a tracker whose reports reach the client after every statement.</summary>
    public bool IsTracked => (Capabilities & Tracking) == Tracking;

    /// <summary>Gets how values are read and written.</summary>
    public CodecSettings Codecs { get; }

    public bool IsMariaDb => _greeting.IsMariaDb;

    /// <summary>Gets <see cref="InitialHandshake.NamesTransactionIsolation"/>.</summary>
    public bool NamesTransactionIsolation { get; }

    public string ServerVersion => _greeting.ServerVersion;

    /// <summary>Gets <see cref="InitialHandshake.SentVersion"/>.</summary>
    public string SentVersion => _greeting.SentVersion;

    /// <summary>
    /// Gets whether the server settles the types of parameters at PREPARE, and reports them: MySQL since 8.0.22. Other servers take the types from each
    /// execution. All of 8.0 counts, because a proxy may report 8.0.11 for any server.
    /// </summary>
    public bool SettlesTypes => !IsMariaDb && !(Version.TryParse(ServerVersion.Split('-', '+', ' ')[0], out var version) && version.Major < 8);

    /// <summary>Gets whether "the statement prepared last" has a number: in MariaDB since 10.2.</summary>
    public bool NumbersLastPrepared => IsMariaDb && (_greeting.Capabilities & Capabilities.BulkOperations) != 0;

    /// <summary>
    /// Gets whether the account's password must be changed, from the server's first answer that says so. Until it is changed, the server refuses most
    /// statements, and a reset. The session has no further lease.
    /// </summary>
    public bool IsPasswordExpired { get; private set; }

    // ---------------------------------------------------------------- the session

    /// <summary>Gets or sets the default database, as far as the server has reported it.</summary>
    public string Database { get; set; } = "";

    /// <summary>Gets whether a transaction is open, according to the server.</summary>
    public bool IsInTransaction => _transaction.IsOpen;

    /// <summary>Gets whether a statement commits by itself.</summary>
    public bool HasAutocommit => _transaction.HasAutocommit;

    /// <summary>Gets whether a statement commits by itself after a reset.</summary>
    public bool ResetsToAutocommit => _transaction.ResetsToAutocommit;

    /// <summary>
    /// Gets whether it is known that the next transaction has the isolation level REPEATABLE READ: the server has reported it, and nothing came since that may
    /// have changed it, for one transaction or for all.
    /// </summary>
    public bool IsRepeatableRead => _transaction.IsRepeatableRead && TrackerIsOn && StateVersion == _versionAtReset;

    /// <summary>
    /// Gets whether it is known that START TRANSACTION ends nothing: no transaction, no table locks, no SET TRANSACTION for the next one.
    /// </summary>
    public bool HoldsNothing => _transaction.HoldsNothing;

    /// <summary>Gets whether a transaction may be open that no flag shows: see <see cref="TransactionState.MayBeHidden"/>.</summary>
    public bool MayHideTransaction => _transaction.MayBeHidden;

    /// <summary>Gets how the server reads quotes now.</summary>
    public QuotingRules Quoting => _mode.Quoting(TrackerIsOn);

    /// <summary>
    /// Gets how values are written in a text. A reset takes sql_mode from the server's global one, which may have changed since the session was opened,
    /// and init_connect may have changed a new session. Until an answer has come, and always if the server does not report the client's character
    /// set, values are written so that any server reads them as what they are.
    /// </summary>
    public LiteralRules Literals => _characterSet.Literals | _mode.Literals(TrackerIsOn, TrackerIsOn && _characterSet.IsReported);

    /// <summary>Gets whether the server has reported that it reads utf8mb4, and no other character set since the last reset.</summary>
    public bool SpeaksUtf8 => TrackerIsOn && _characterSet is { IsReported: true, MayBeForeign: false };

    /// <summary>
    /// Gets whether the server may read a prepared statement's texts in another character set than the driver writes. In a text they are then sent as digits.
    /// </summary>
    public bool MayReadForeign => MayHideChanges || _characterSet.MayReadForeign(TrackerIsOn);

    /// <summary>Gets or sets whether a character set of the connection is, or may be, another than the handshake asked for.</summary>
    public bool CharacterSetChanged
    {
        get => _characterSet.IsChanged;
        set => _characterSet.IsChanged = value;
    }

    /// <summary>Gets whether a text of the user's may have set a role.</summary>
    public bool MayHaveSetRole { get; private set; }

    /// <summary>Gets whether it is known which role the session has.</summary>
    public bool RoleIsKnown => _role == Role.Known || (TrackerIsOn && _role == Role.MayBeSet);

    /// <summary>Gets whether the default role can be set: in MariaDB since 10.2, and not in the language of another database.</summary>
    public bool CanSetDefaultRole => (_greeting.Capabilities & Capabilities.BulkOperations) != 0 && !_mode.IsOracle;

    /// <summary>Gets or sets whether the server is asked to report the identifiers of transactions.</summary>
    public bool TracksWrites { get; set; }

    /// <summary>Gets or sets whether the session has a generated key: see <see cref="MadeKey"/>.</summary>
    public bool LeavesKey { get; set; }

    /// <summary>Gets or sets whether the session has warnings: see <see cref="LeftWarnings"/>.</summary>
    public bool LeavesWarnings { get; set; }

    /// <summary>
    /// Gets whether the server has confirmed that its OK packets report every change of the session's state. A reset switches that off, and a text that may
    /// change what they report makes it doubtful.
    /// </summary>
    public bool TrackerIsOn => _tracker == Tracker.On;

    /// <summary>Gets whether a text of the user's may have changed what the server reports.</summary>
    public bool MayHideChanges => _tracker == Tracker.Doubtful;

    /// <summary>
    /// Gets a number that increases with everything after which the session's state is not known: an error, a change that the server has reported, a statement
    /// that may change more than the server reports. Two equal values mean that nothing of the kind came in between.
    /// </summary>
    public int StateVersion { get; private set; }

    /// <summary>Gets whether nothing has happened since the last reset (or the opening) of which a next user could see a trace.</summary>
    public bool IsClean =>
        TrackerIsOn && StateVersion == _versionAtReset && _transaction is { IsIdle: true, IsBetweenTransactions: true } && !CharacterSetChanged;

    // ---------------------------------------------------------------- what is about to run

    /// <summary>Notes the answer to START TRANSACTION: it has ended what was held before.</summary>
    public void ForgetHeld() => _transaction.ForgetHeld();

    /// <summary>Notes that something that no text shows is about to run: it may begin a transaction that no flag shows, or lock tables.</summary>
    public void MarkHeld() => _transaction.MarkHeld();

    /// <summary>Notes something that may have changed more of the session than the server reports.</summary>
    public void MarkDirty() => StateVersion++;

    /// <summary>Notes that a statement is about to run that may change more of the session than the server reports.</summary>
    public void MarkDirty(MySqlStatement statement)
    {
        MarkDirty();
        MayHaveSetRole |= statement.MaySetRole;
        if (_role == Role.Known && IsMariaDb && statement.MayRunStored)
            _role = Role.MayBeSet;
        if (statement.MayHideChanges)
            _tracker = Tracker.Doubtful;
        if (statement.MayHold(IsMariaDb))
            MarkHeld();
        if (statement.MayCommit)
            _session.MayCommit();
        _characterSet.Run(statement);
    }

    /// <summary>Notes that what is about to run may commit an open transaction.</summary>
    public void MayCommit() => _session.MayCommit();

    /// <summary>
    /// Notes that a statement may have generated a key. LAST_INSERT_ID() keeps it, in tables' triggers and in views too. It is cleared before the next lease,
    /// which needs no reset for that.
    /// </summary>
    public void MadeKey() => LeavesKey = true;

    /// <summary>
    /// Notes that the server has warned about a statement or a PREPARE, or refused it: an error is one of the warnings. MariaDB keeps the warnings after
    /// statements that use no table. They are cleared before the next lease, which needs no reset for that. In MySQL every statement but SHOW WARNINGS
    /// replaces them.
    /// </summary>
    public void LeftWarnings(int count) => LeavesWarnings |= IsMariaDb && count > 0;

    // ---------------------------------------------------------------- answers

    /// <summary>Gets whether a transaction is open according to the last status flags, and no error has come since that may have ended it.</summary>
    public bool IsSurelyInTransaction => _transaction.IsSurelyOpen;

    /// <summary>Takes note of an error.</summary>
    /// <param name="error">The error.</param>
    /// <param name="mayHaveCommitted">Whether what was refused may have committed something before: an error reports no identifiers.</param>
    /// <param name="isBeginning">Whether nothing of the operation has run before, if the server refuses it because it is a replica.</param>
    /// <returns>The error together with what it proves about the operation.</returns>
    public ServerError Refused(ServerError error, bool mayHaveCommitted = false, bool isBeginning = false)
    {
        // A server that refuses a COMMIT because it has become a replica rolls back.
        if (mayHaveCommitted && ErrorKinds.Of(error.Number) != ErrorKind.ReadOnly)
            _session.LoseWrites();
        var judged = _session.Judge(error, isBeginning);
        if (error.Number == MustChangePassword)
        {
            // The session has no next user, and until the password is changed the server also refuses the statement that clears the warnings.
            IsPasswordExpired = true;
            _session.ServeOnce();
        }
        else
            LeftWarnings(1);

        _characterSet.Refused();
        if (_transaction.Refused(error.Number, IsMariaDb))
            _session.LoseTransaction(judged);
        return judged;
    }

    /// <summary>Takes note of an error of a user's text. Statements before it may have committed something, or the statement itself.</summary>
    public ServerError Refused(ServerError error, MySqlStatement statement, bool isFirst)
    {
        // Tables without transactions keep the rows that came before the error. In a transaction, its end reports the rest.
        if (!isFirst || (statement.MayCommit && !(IsInTransaction && statement.IsStateless(IsMariaDb)))
            || (!IsInTransaction && !statement.OnlyQueries(IsMariaDb) && !ErrorKinds.PrecedesExecution(error.Number)))
            _session.LoseWrites();
        return Refused(error);
    }

    /// <summary>Takes note of an OK packet in answer to a user's statement.</summary>
    /// <param name="ok">Its fixed fields.</param>
    /// <param name="reader">The position after them.</param>
    /// <param name="isInside">
    /// True if it ends rows after which more comes: what it reports was set by a procedure that still runs, and that restores it without a report.
    /// </param>
    public void Update(in Ok ok, ref ByteReader reader, bool isInside = false)
    {
        Update(ok.Status);
        LeftWarnings(ok.Warnings);
        _characterSet.BeginAnswer();
        if (ReadChanges(ok, ref reader, isInside))
        {
            MarkDirty();
            if (_role == Role.MayBeSet)
                _role = Role.Unknown;
        }

        if (!isInside)
            _characterSet.EndAnswer();
    }

    /// <summary>Takes note of an OK packet in answer to a command of the driver's own, which leaves no trace that the driver does not know.</summary>
    /// <param name="ok">Its fixed fields.</param>
    /// <param name="reader">The position after them.</param>
    /// <param name="isTracker">True for the answer to the tracker's settings.</param>
    public void UpdateOwn(in Ok ok, ref ByteReader reader, bool isTracker)
    {
        Update(ok.Status);
        var reports = ReadChanges(ok, ref reader, isInside: false);
        // The tracker must report its own settings: a proxy may take them and report nothing.
        if (isTracker && !MayHideChanges)
            _tracker = reports ? Tracker.On : Tracker.Off;
    }

    /// <summary>Takes note of the status flags of an EOF packet.</summary>
    public void Update(ServerStatus status)
    {
        _mode.Update(status);
        _transaction.Update(status);
    }

    /// <summary>Takes note of a reset, which restores the server's settings and switches the tracker off.</summary>
    public void ForgetTracked()
    {
        _mode.Reset();
        _characterSet.Reset();
        _transaction.Reset();
        _tracker = Tracker.Off;
        _role = Role.Known;
        _versionAtReset = StateVersion;
        LeavesKey = LeavesWarnings = false;
    }

    /// <summary>Reads the reported changes. True if something of the session has changed.</summary>
    private bool ReadChanges(in Ok ok, ref ByteReader reader, bool isInside)
    {
        if (!TracksSession || (ok.Status & ServerStatus.SessionStateChanged) == 0)
            return false;
        var changes = SessionChanges.Read(ref reader);
        if (changes.Gtids is { } gtids)
            _session.Wrote(gtids);
        if (changes.IsIdle is { } isIdle)
            _transaction.UpdateIdle(isIdle);
        if (changes.Schema is { } schema)
        {
            if (schema != Database)
                _prepared.ForgetAll();
            Database = schema;
        }

        if (changes.Variables is { } variables)
            foreach (var (name, value) in variables)
                UpdateVariable(name, value, isInside);
        return changes.StateChanged || changes.Schema is not null || changes.Variables is not null;
    }

    private void UpdateVariable(string name, string value, bool isInside)
    {
        switch (name)
        {
            case "character_set_client" or "character_set_connection" or "character_set_results":
                _characterSet.Update(isClient: name == "character_set_client", value, isInside);
                if (name == "character_set_connection")
                    _prepared.ForgetAll();
                break;
            case "collation_connection":
                // Only the server knows the value of a new session; MariaDB keeps a changed one after a reset.
                CharacterSetChanged = true;
                _prepared.ForgetAll();
                break;
            case "sql_mode":
                if (_mode.Update(value, isInside))
                    _prepared.ForgetAll();
                break;
            case "transaction_isolation" or "tx_isolation":
                _transaction.UpdateIsolation(value);
                break;
            case "session_track_state_change" or "session_track_system_variables" or "session_track_gtids":
                if (TrackerIsOn)
                    _tracker = Tracker.Off;
                break;
            default:
                if (!SettingsChange.IsHarmless(name))
                    _prepared.ForgetAll();
                break;
        }
    }
}
