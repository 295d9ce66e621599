using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.State;

/// <summary>What the server has reported about the session's sql_mode, and what that means for quotes in texts.</summary>
/// <remarks>
/// Two sources report it: the status flags of each answer, and the tracker, which reports the text of a mode that has changed. If a procedure sets sql_mode,
/// its caller's OK packets keep the flag, although the mode is the caller's again (seen on MySQL 9.7 and MariaDB 10.11 and 11.8). So a flag that has changed is
/// not trusted before the next reset.
/// </remarks>
/// <param name="isMariaDb">True if ANSI_QUOTES has a status flag: MySQL has none.</param>
/// <param name="opening">The status flags of the login.</param>
internal sealed class SqlMode(bool isMariaDb, ServerStatus opening)
{
    // How far a status flag is to be trusted.
    private enum FlagCertainty : byte
    {
        /// <summary>No answer has come since the opening or the last reset: the flag is that of the login.</summary>
        Assumed,

        /// <summary>The flag has not changed since the first answer.</summary>
        Reported,

        /// <summary>The flag has changed, or a procedure has set the mode.</summary>
        Doubtful,
    }

    // What the tracker has reported since the last reset.
    private enum Report : byte
    {
        Nothing,

        /// <summary>The mode at the end of a statement.</summary>
        Mode,

        /// <summary>The mode inside a procedure, which restores its caller's without a report.</summary>
        ModeOfProcedure,
    }

    [Flags]
    private enum Modes : byte
    {
        None = 0,
        AnsiQuotes = 1,
        NoBackslashEscapes = 2,
        Oracle = 4,
    }

    private readonly ServerStatus _opening = opening;
    private ServerStatus _flags = opening;
    private FlagCertainty _backslashes;
    private FlagCertainty _quotes;
    private Report _report;
    private string _text = "";

    // The mode that was reported last, and the one that was reported first after a reset.
    private Modes _reported;
    private Modes _initial;

    /// <summary>Gets whether the session began in the language of another database.</summary>
    public bool IsOracle => (_initial & Modes.Oracle) != 0;

    private bool FlagsAnsiQuotes => isMariaDb && (_flags & ServerStatus.AnsiQuotes) != 0;

    private bool FlagsNoBackslashEscapes => (_flags & ServerStatus.NoBackslashEscapes) != 0;

    private bool ReportsAnsiQuotes => (_reported & Modes.AnsiQuotes) != 0;

    private bool ReportsNoBackslashEscapes => (_reported & Modes.NoBackslashEscapes) != 0;

    /// <summary>Returns how the server reads quotes.</summary>
    /// <param name="isTracked">True if the tracker is on.</param>
    public QuotingRules Quoting(bool isTracked)
    {
        // The tracker reports the mode as it is at the end of a statement; the flag may be that of a procedure that has ended.
        var isReported = isTracked && _report != Report.Nothing;
        var hasNoEscapes = isReported && _backslashes == FlagCertainty.Doubtful ? ReportsNoBackslashEscapes : FlagsNoBackslashEscapes;
        var hasAnsiQuotes = ReportsAnsiQuotes || (FlagsAnsiQuotes && !isReported);
        return (hasNoEscapes ? QuotingRules.NoBackslashEscapes : 0) | (hasAnsiQuotes ? QuotingRules.AnsiQuotes : 0);
    }

    /// <summary>Returns how values are written in a text, as far as the mode decides it.</summary>
    /// <param name="isTracked">True if the tracker is on.</param>
    /// <param name="knowsCharacterSet">True if the tracker is on and has reported the client's character set.</param>
    public LiteralRules Literals(bool isTracked, bool knowsCharacterSet)
    {
        var isContradicted = AreQuotesUncertain(isTracked) || (_backslashes == FlagCertainty.Doubtful && !IsConfirmed(isTracked));
        return (isContradicted ? LiteralRules.UncertainMode : 0)
            | (_backslashes != FlagCertainty.Reported || !knowsCharacterSet ? LiteralRules.Unknown
                : FlagsNoBackslashEscapes ? LiteralRules.NoBackslashEscapes : 0);
    }

    /// <summary>Takes note of the flags of an answer.</summary>
    public void Update(ServerStatus status)
    {
        var changed = status ^ _flags;
        _backslashes = Next(_backslashes, (changed & ServerStatus.NoBackslashEscapes) != 0);
        _quotes = Next(_quotes, isMariaDb && (changed & ServerStatus.AnsiQuotes) != 0);
        _flags = status;
    }

    /// <summary>Takes note of the tracker's report. True if prepared statements may have another meaning now.</summary>
    /// <param name="mode">The text of sql_mode.</param>
    /// <param name="isInside">True if a procedure that still runs has set it.</param>
    public bool Update(string mode, bool isInside)
    {
        _reported = Read(mode);
        var isFirst = _report == Report.Nothing;
        var changes = !isFirst && (_text != mode || _report == Report.ModeOfProcedure);
        if (isFirst)
            _initial = _reported;
        _text = mode;
        _report = isInside ? Report.ModeOfProcedure : Report.Mode;
        if (isInside)
            _backslashes = FlagCertainty.Doubtful;
        return changes;
    }

    /// <summary>Takes note of a reset: the mode is again the one of a new session, which is assumed not to have changed.</summary>
    public void Reset()
    {
        // A command that travels with the reset is written by the rules in force after it, not by those that the last user chose.
        _flags = _opening;
        _backslashes = _quotes = FlagCertainty.Assumed;
        _report = Report.Nothing;
        _reported = _initial;
    }

    private static FlagCertainty Next(FlagCertainty certainty, bool changed) => certainty switch
    {
        FlagCertainty.Assumed => FlagCertainty.Reported,
        FlagCertainty.Reported when changed => FlagCertainty.Doubtful,
        _ => certainty,
    };

    private static Modes Read(string mode) => (mode.Contains("ANSI", StringComparison.OrdinalIgnoreCase) ? Modes.AnsiQuotes : 0)
        | (mode.Contains("NO_BACKSLASH_ESCAPES", StringComparison.OrdinalIgnoreCase) ? Modes.NoBackslashEscapes : 0)
        | (mode.Contains("ORACLE", StringComparison.OrdinalIgnoreCase) ? Modes.Oracle : 0);

    // MariaDB's flag is not trusted against the tracker.
    private bool AreQuotesUncertain(bool isTracked) => isTracked && _report != Report.Nothing
        ? isMariaDb && FlagsAnsiQuotes != ReportsAnsiQuotes
        : _quotes == FlagCertainty.Doubtful;

    private bool IsConfirmed(bool isTracked) => isTracked && _report == Report.Mode && ReportsNoBackslashEscapes == FlagsNoBackslashEscapes;
}
