using System.Net;
using System.Security.Cryptography;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Protocol.Connect;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>Opens sessions of one data source, and the short connections that cancel.</summary>
internal sealed class PgSessionOpener : SessionOpener
{
    private readonly ScramKeyCache _keys = new();
    private readonly PgSettings _settings;
    private readonly Dialer _dialer;

    public PgSessionOpener(PgSettings settings, Dialer dialer)
        : base(dialer, new Hosts(settings.Endpoints, settings.LoadBalanceHosts ? HostOrder.RoundRobin : HostOrder.FailOver))
    {
        _settings = settings;
        _dialer = dialer;
        AutoPreparation = new(settings.AutoPrepares, settings.AutoPrepareMinUsages);
        Watch(nameInterval: 0);
    }

    // No digits: a number follows.
    private const string NameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private const int NameLength = 8;

    /// <summary>How the names of statements begin, where that must be known in advance: in a recording. Null: another way in each session.</summary>
    public string? StatementPrefix { get; init; }

    public long MaxValueBytes => _settings.MaxValueBytes;

    /// <summary>The most that is held of one row, in bytes.</summary>
    public long MaxRowBytes => _settings.MaxRowBytes;

    public int MaxPrepared => _settings.MaxPrepared;

    /// <summary>Which texts are prepared unasked, for all sessions of the data source.</summary>
    public AutoPreparation AutoPreparation { get; }

    /// <summary>Asks the server to stop what a session is doing. Blocks until the server has seen the request.</summary>
    /// <param name="endpoint">Where the session is.</param>
    /// <param name="session">Its key.</param>
    /// <param name="milliseconds">For all of it.</param>
    /// <param name="address">Where exactly: the key is for no other server that the name leads to by now.</param>
    /// <param name="inTls">Whether the session is inside TLS: then its key stays there, too, whatever SSL Mode says.</param>
    /// <exception cref="WireException">It could not be asked.</exception>
    public void Cancel(Endpoint endpoint, BackendKeyData session, int milliseconds, IPAddress? address, bool inTls)
    {
        using var scope = new DialScope(milliseconds, default) { Address = address };
        var wire = new Wire(_dialer.Dial(endpoint, scope));
        try
        {
            BlockingPump.Run(new Cancel(_settings, session, inTls), wire);
        }
        catch (WireException exception) when (exception.Failure == WireFailure.Lost && !scope.HasEnded)
        {
            // The server closes: that is its answer. Where the time was over first there is none, and the request may be on its way still.
        }
        finally
        {
            wire.Transport.Dispose();
        }
    }

    // What speaks of the server and not of the user: connection exceptions (08), insufficient resources, too many connections among them (53), shutting down,
    // starting up and standing by (57P01, 57P02, 57P03), errors of its system (58) and of itself (XX). A wrong password or a database that does not exist is
    // answered alike everywhere.
    protected internal override bool MayTryNext(ServerError error) =>
        error.SqlState is "57P01" or "57P02" or "57P03" || (error.SqlState.Length == 5 && error.SqlState[..2] is "08" or "53" or "58" or "XX");

    protected override string TimeoutOption => PgOptions.Timeout.Name;

    protected internal override ConnectScript CreateConnect(ITransport transport, DialScope scope) => new Connect(_settings, _keys, transport);

    protected internal override Session CreateSession(Wire wire, Endpoint endpoint, ConnectScript connect) =>
        new PgSession(wire, endpoint, this, (Connect)connect)
        {
            CancellationTimeout = _settings.CancellationTimeout,
            ResetsBetweenLeases = _settings.ResetsSessions,
            ResetsWhole = _settings.ResetMode == PgResetMode.Always,
            MayPipeline = _settings.Pipelines,
            StatementPrefix = StatementPrefix ?? RandomNumberGenerator.GetString(NameLetters, NameLength),
        };
}
