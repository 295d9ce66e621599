using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql;

/// <content>
/// Sessions that share the connection of another one: what is prepared is each one's own, the state of the server's session is everybody's and must not change.
/// </content>
internal sealed partial class MySqlSession
{
    private readonly bool _isShared;

    /// <summary>A session on top of <paramref name="shared"/>, for one command at a time.</summary>
    public MySqlSession(MySqlSession shared, Wire wire)
        : base(wire, shared.Endpoint)
    {
        _isShared = true;
        _opener = shared._opener;
        _greeting = shared._greeting;
        _serverIsUtf8Mb4 = shared._serverIsUtf8Mb4;
        _status = shared._status;
        _openingStatus = shared._openingStatus;
        _configuredDatabase = shared._configuredDatabase;
        _names = shared._names;
        _ansiQuotes = shared._ansiQuotes;
        _initialAnsiQuotes = shared._initialAnsiQuotes;
        _sqlMode = shared._sqlMode;
        _modeIsAssumed = shared._modeIsAssumed;
        _modeIsDoubtful = shared._modeIsDoubtful;
        _toldCharacterSet = shared._toldCharacterSet;
        _foreign = shared._foreign;
        _isOracle = shared._isOracle;
        TrackerIsOn = shared.TrackerIsOn;
        Database = shared.Database;
        Capabilities = shared.Capabilities;
        Codecs = shared.Codecs;
        AutoPrepare = _opener.AutoPrepare;
        Prepared = new(AutoPrepare.PerSession);
        Results = new CommandExchange(this, Codecs, _opener.MaxValueBytes);
        // Nobody else's command may be hit: what is given up here runs on, and its answer is dropped.
        CancellationTimeout = 0;
        ResetsBetweenLeases = false;
        wire.Out.Dialect = shared.Wire.Out.Dialect;
    }

    /// <summary>Where answers end; null when the session cannot be shared: only one whose server tells every change of its state can.</summary>
    public AnswerBounds? CreateBounds() =>
        MayPipeline && TrackerIsOn && IsClean && !_modeIsAssumed && (Capabilities & Capabilities.Compress) == 0 ? new MySqlAnswerBounds((Capabilities & Capabilities.CacheMetadata) != 0) : null;

    // The connection lives on, and so would what this session has prepared on it.
    private void CloseShared()
    {
        try
        {
            Wire.Out.Erase();
            foreach (var prepared in Prepared.TakeAll())
                StatementClose.Write(Wire.Out, prepared.Id);
            if (Wire.Out.Length > 0)
                Wire.Transport.Send(Wire.Out.Written);
        }
        catch (WireException)
        {
            // It has gone, with all that was prepared.
        }
    }
}
