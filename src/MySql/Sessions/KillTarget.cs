using System.Globalization;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Sessions;

/// <summary>Whose the number is that a KILL would name.</summary>
internal enum KillTargets
{
    /// <summary>The server does not say, or counts connections of its own in between.</summary>
    Unknown,

    /// <summary>That of the session that is to be stopped.</summary>
    Own,

    /// <summary>That of a session which comes from where the killer comes from, through something that changes ports.</summary>
    Neighbours,

    /// <summary>Nobody's, or somebody else's: another server answers at this address now, or the number was forged.</summary>
    Strangers,
}

/// <summary>
/// The question in front of a KILL: does this server know the session by the number and by the address and port that it comes from? The number alone came in
/// clear text and names another session on another server, to which a load balancer or a name that has moved may lead.
/// Asked where the server has not said itself whose the number is: see <see cref="IdentityQuestion"/>.
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
    private bool _said;

    /// <param name="killer">The connection that will carry the KILL.</param>
    /// <param name="number">The number that it would name.</param>
    public KillTarget(MySqlSession killer, long number)
    {
        (_killer, _number) = (killer, number);
        _answers = killer.Results;
    }

    /// <summary>What the answer says.</summary>
    /// <param name="killersPort">The port of this machine from which the killer's connection comes; 0 when that is not known.</param>
    /// <param name="targetsPort">That of the session's.</param>
    public KillTargets Judge(int killersPort, int targetsPort)
    {
        if (_answers.Error is not null || _hasOwnNumbers || _killersHost is null || PortOf(_killersHost, out var from) is not { } seen)
            return KillTargets.Unknown;
        if (_targetsHost is null)
            return KillTargets.Strangers;
        var port = PortOf(_targetsHost, out var targetsFrom);
        // The same port of another machine is somebody else's.
        if (port is null || !targetsFrom.SequenceEqual(from))
            return KillTargets.Strangers;
        // Something on the way changes ports: what can be seen is only that both come through it.
        if (killersPort == 0 || seen != killersPort)
            return KillTargets.Neighbours;
        return port == targetsPort ? KillTargets.Own : KillTargets.Strangers;
    }

    public override Step Advance(Wire wire)
    {
        if (!_said)
        {
            _said = true;
            _killer.RefuseLeftovers();
            var at = wire.Out.TotalLength;
            Query.Write(wire.Out, System.Text.Encoding.ASCII.GetBytes($"{Question.Sql} WHERE ID IN ({_number.ToString(CultureInfo.InvariantCulture)}, CONNECTION_ID())"));
            _answers.BeginQuery(Question, wire.Out.TotalLength - at, Goal.Rows, null, streams: false);
            return Step.Send;
        }

        var rows = 0;
        while (_answers.Advance(wire) is var step && step != Step.Completed)
        {
            if (step == Step.Row)
            {
                OwnAnswer.CheckCount("a question for sessions", rows++);
                Take(_answers.Row);
            }
            else if (step != Step.Metadata)
                return step;
        }

        if (!_answers.IsOver)
            throw new ProtocolException("one result in answer to a question for sessions", "the announcement of another");
        return Step.Completed;
    }

    private void Take(Row row)
    {
        try
        {
            var number = row.GetInt64(0);
            var own = row.GetInt64(2);
            // Behind a proxy with numbers of its own those of the server say nothing.
            _hasOwnNumbers |= own != _killer.ServerId;
            if (number == own)
                _killersHost = row.GetString(1);
            if (number == _number)
                _targetsHost = row.GetString(1);
        }
        catch (Exception exception) when (OwnAnswer.IsMisread(exception))
        {
            throw OwnAnswer.Misread("a question for sessions", exception);
        }
    }

    // "address:port", as the server sees whoever is connected.
    private static int? PortOf(string host, out ReadOnlySpan<char> address)
    {
        var at = host.LastIndexOf(':');
        address = at < 0 ? host : host.AsSpan(0, at);
        return int.TryParse(host.AsSpan(at + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var port) && at >= 0 ? port : null;
    }
}
