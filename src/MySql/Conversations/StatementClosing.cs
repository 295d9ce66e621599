using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;

namespace Slipstream.MySql.Conversations;

/// <summary>COM_STMT_CLOSE without pipelining: it has a send of its own, and the server does not answer.</summary>
/// <param name="id">The server's ID of the statement.</param>
internal sealed class StatementClosing(uint id) : SimpleExchange
{
    public override string Description => "COM_STMT_CLOSE";

    public override void Encode(Wire wire) => StatementClose.Write(wire.Out, id);

    public override Step Advance(Wire wire) => Step.Completed;
}
