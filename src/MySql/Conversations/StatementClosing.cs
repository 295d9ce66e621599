using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Commands;

namespace Slipstream.MySql.Conversations;

/// <summary>COM_STMT_CLOSE where nothing may be glued to it: it has a send of its own, and is never answered.</summary>
/// <param name="id">The statement's number.</param>
internal sealed class StatementClosing(uint id) : SimpleExchange
{
    public override string What => "COM_STMT_CLOSE";

    public override void Encode(Wire wire) => StatementClose.Write(wire.Out, id);

    public override Step Advance(Wire wire) => Step.Completed;
}
