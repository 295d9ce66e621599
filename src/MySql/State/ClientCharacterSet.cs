using Slipstream.MySql.Codecs;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.State;

/// <summary>The character sets of the connection: whether the server reads the client's texts as the utf8mb4 that the driver writes.</summary>
/// <remarks>A procedure that sets the character set reports it, and restores its caller's without a report.</remarks>
internal sealed class ClientCharacterSet
{
    private const string Utf8 = "utf8mb4";

    // How the server may read a literal in a text.
    private enum Reading : byte
    {
        Utf8,

        /// <summary>A statement may have set another character set than utf8mb4 since the last reset.</summary>
        Foreign,

        /// <summary>As <see cref="Foreign"/>, but a plain SET is under way: if its answer reports utf8mb4 last, the server reads utf8mb4 again.</summary>
        ForeignUntilAnswer,
    }

    // What the tracker has reported since the last reset.
    private enum Report : byte
    {
        Nothing,
        Utf8,

        /// <summary>Another character set, or one that may no longer be in force: a procedure has set it, or an error came, which reports nothing.</summary>
        Foreign,
    }

    private Reading _reading;
    private Report _report;

    // The character set that the current answer has reported last.
    private string? _last;

    /// <summary>Gets or sets whether a character set of the connection is, or may be, another than the handshake asked for.</summary>
    public bool IsChanged { get; set; }

    /// <summary>Gets whether the tracker has reported the client's character set since the last reset.</summary>
    public bool IsReported => _report != Report.Nothing;

    /// <summary>Gets whether a statement may have set another character set than utf8mb4 since the last reset.</summary>
    public bool MayBeForeign => _reading != Reading.Utf8;

    /// <summary>Gets how values are written in a text, as far as the character set decides it.</summary>
    public LiteralRules Literals => MayBeForeign ? LiteralRules.ForeignCharacters : LiteralRules.None;

    /// <summary>Returns whether the server may read the text of a statement in another character set.</summary>
    /// <param name="isTracked">True if the tracker is on.</param>
    /// <remarks>
    /// Less strict than <see cref="Literals"/>: between two commands the set that was reported last is in force, whichever statement set it. Two cases are
    /// excepted: it was reported after the rows of a procedure, which restores its caller's without a report, or an error came.
    /// </remarks>
    public bool MayReadForeign(bool isTracked) => isTracked && IsReported ? _report == Report.Foreign : MayBeForeign;

    /// <summary>Takes note of a statement that is about to run.</summary>
    public void Run(MySqlStatement statement)
    {
        // Only for a plain SET it is known that the character set reported last is the one that was set last.
        if (statement.MaySetCharacterSet)
            _reading = statement.MayRunStored ? Reading.Foreign : Reading.ForeignUntilAnswer;
        else if (_reading == Reading.ForeignUntilAnswer)
            _reading = Reading.Foreign;
    }

    /// <summary>Takes note of the beginning of an answer to a user's statement.</summary>
    public void BeginAnswer() => _last = null;

    /// <summary>Takes note of the end of an answer to a user's statement.</summary>
    public void EndAnswer()
    {
        if (_reading == Reading.ForeignUntilAnswer)
            _reading = _last == Utf8 ? Reading.Utf8 : Reading.Foreign;
    }

    /// <summary>Takes note of a report about one of the three character sets of the connection.</summary>
    /// <param name="isClient">True for the one in which the server reads texts.</param>
    /// <param name="name">The character set.</param>
    /// <param name="isInside">True if a procedure that still runs has set it.</param>
    public void Update(bool isClient, string name, bool isInside)
    {
        var isForeign = name != Utf8;
        IsChanged |= isForeign;
        if (!isClient)
            return;
        _last = name;
        _report = isInside || isForeign ? Report.Foreign : Report.Utf8;
        if (isForeign && _reading == Reading.Utf8)
            _reading = Reading.Foreign;
    }

    /// <summary>Takes note of an error: a block of MariaDB that failed after its SET NAMES has set the character set.</summary>
    public void Refused()
    {
        if (MayBeForeign && IsReported)
            _report = Report.Foreign;
    }

    /// <summary>Takes note of a reset. The connection's character sets are restored by SET NAMES: see <see cref="IsChanged"/>.</summary>
    public void Reset() => (_reading, _report) = (Reading.Utf8, Report.Nothing);
}
