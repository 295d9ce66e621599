using System.Globalization;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Sessions;

/// <summary>The owner of the connection ID that a KILL would name.</summary>
internal enum KillTargets
{
    /// <summary>The server does not report the owner, or a proxy uses connection IDs of its own.</summary>
    Unknown,

    /// <summary>The session whose command must be stopped.</summary>
    Own,

    /// <summary>A session from the same address as the killing connection, through a device or proxy that changes ports.</summary>
    SameAddress,

    /// <summary>No session, or another client's: another server now answers at this address, or the connection ID was forged.</summary>
    Other,
}

/// <summary>
/// The query before a KILL: does this server have a session with this connection ID from the session's address and port? The connection ID alone was sent in
/// clear text. On another server, which a load balancer or a changed DNS name may lead to, it names another session. The query is needed only if the server has
/// not identified the session itself: see <see cref="IdentityQuestion"/>.
/// </summary>
internal sealed class KillTarget : Conversation
{
    private static readonly MySqlStatement Question = new("SELECT ID, HOST, CONNECTION_ID() FROM information_schema.PROCESSLIST");

    private readonly MySqlSession _killer;
    private readonly long _number;
    private readonly CommandExchange _answers;
    private string? _killersHost;
    private string? _targetsHost;
    private bool _hasOwnNumbers;
    private bool _isSent;

    /// <param name="killer">The connection that will send the KILL.</param>
    /// <param name="number">The connection ID that the KILL would name.</param>
    public KillTarget(MySqlSession killer, long number)
    {
        (_killer, _number) = (killer, number);
        _answers = killer.Results;
    }

    /// <summary>Evaluates the answer.</summary>
    /// <param name="killersPort">The local port of the killing connection; 0 if it is unknown.</param>
    /// <param name="targetsPort">The local port of the session's connection.</param>
    public KillTargets Evaluate(int killersPort, int targetsPort)
    {
        if (_answers.Error is not null || _hasOwnNumbers || _killersHost is null || PortOf(_killersHost, out var from) is not { } seen)
            return KillTargets.Unknown;
        if (_targetsHost is null)
            return KillTargets.Other;
        var port = PortOf(_targetsHost, out var targetsFrom);
        // The same port at another address belongs to another client.
        if (port is null || !targetsFrom.SequenceEqual(from))
            return KillTargets.Other;
        // A device on the way changes ports: the answer shows only that both connections pass through it.
        if (killersPort == 0 || seen != killersPort)
            return KillTargets.SameAddress;
        return port == targetsPort ? KillTargets.Own : KillTargets.Other;
    }

    public override Step Advance(Wire wire)
    {
        if (!_isSent)
        {
            _isSent = true;
            _killer.RefuseLeftovers();
            var at = wire.Out.TotalLength;
            Query.Write(
                wire.Out,
                System.Text.Encoding.ASCII.GetBytes($"{Question.Sql} WHERE ID IN ({_number.ToString(CultureInfo.InvariantCulture)}, CONNECTION_ID())"));
            _answers.BeginQuery(Question, wire.Out.TotalLength - at, Goal.Rows, null, streams: false);
            return Step.Send;
        }

        var rows = 0;
        while (_answers.Advance(wire) is var step && step != Step.Completed)
        {
            if (step == Step.Row)
            {
                OwnAnswer.CheckCount("the query for sessions", rows++);
                Take(_answers.Row);
            }
            else if (step != Step.Metadata)
                return step;
        }

        if (!_answers.IsCompleted)
            throw new ProtocolException("one result in answer to the query for sessions", "another result");
        return Step.Completed;
    }

    private void Take(Row row)
    {
        try
        {
            var number = row.GetInt64(0);
            var own = row.GetInt64(2);
            // A proxy with connection IDs of its own makes the server's IDs meaningless.
            _hasOwnNumbers |= own != _killer.ServerId;
            if (number == own)
                _killersHost = row.GetString(1);
            if (number == _number)
                _targetsHost = row.GetString(1);
        }
        catch (Exception exception) when (OwnAnswer.IsMisread(exception))
        {
            throw OwnAnswer.Misread("the query for sessions", exception);
        }
    }

    // The text is "address:port", as the server sees the client.
    private static int? PortOf(string host, out ReadOnlySpan<char> address)
    {
        var at = host.LastIndexOf(':');
        address = at < 0 ? host : host.AsSpan(0, at);
        return int.TryParse(host.AsSpan(at + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var port) && at >= 0 ? port : null;
    }
}
