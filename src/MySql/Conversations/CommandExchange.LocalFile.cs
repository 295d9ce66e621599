using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Conversations;

// LOAD DATA LOCAL INFILE in a user's text: the server asks for a file of this machine, and gets an empty one. The statement then ends, has loaded nothing, and
// the session is in step.
internal sealed partial class CommandExchange
{
    private const string NoFile =
        "LOAD DATA LOCAL INFILE in a command's text cannot read files of this machine: use MySqlBulkLoader for a file or a stream, or MySqlBulkCopy for rows";

    // ER_NOT_ALLOWED_COMMAND, ER_CLIENT_LOCAL_FILES_DISABLED, MariaDB's ER_LOAD_INFILE_CAPABILITY_DISABLED.
    private const int NotAllowed = 1148;
    private const int LocalFilesDisabled = 3948;
    private const int LoadInfileDisabled = 4166;

    private bool AsksForFile => _statement.Sql.Contains("INFILE", StringComparison.OrdinalIgnoreCase);

    private void RefuseFile()
    {
        if (_form is not (CommandForm.Query or CommandForm.UnpreparableQuery) || !AsksForFile
            || (_session.State.Capabilities & Capabilities.LocalFiles) == 0)
        {
            throw new ProtocolException(
                "a result (LOAD DATA LOCAL is not available on this connection, and no file was read)", "a request to read a file of this client");
        }

        // What follows it, in the text or on the wire, would run all the same.
        if (Listener is not null || _statement.Scan(_session.State.Quoting).HasSeveralStatements)
            throw new WireException(WireFailure.Forbidden, $"{NoFile}. The connection is closed, because the statements after it would have been executed.");
        _form = CommandForm.QueryWithoutFile;
        _awaiting = Awaiting.FileRefused;
    }

    private void SendNoFile(Wire wire)
    {
        _session.RefuseLeftovers();
        wire.Sequence = wire.Out.End(wire.Out.Begin(wire.Sequence));                                // C: an empty packet
        _awaiting = Awaiting.Header;
    }

    private bool EndWithoutFile()
    {
        Error = new ServerError(NotAllowed, "42000", NoFile + ".");
        return End();
    }

    private string Explained(int number, string message) =>
        number is NotAllowed or LocalFilesDisabled or LoadInfileDisabled && AsksForFile ? $"{message} ({NoFile}.)" : message;
}
