using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Commands;

/// <summary>
/// COM_INIT_DB: changes the default database. The server answers with OK or ERR.
/// <code>
/// 02 | schema name…
/// </code>
/// Source: page_protocol_com_init_db.
/// </summary>
internal static class InitDatabase
{
    /// <summary>Writes the whole command.</summary>
    public static void Write(ByteWriter writer, string database)
    {
        var at = writer.Begin();
        writer.Byte(CommandCode.InitDatabase);
        writer.Text(database);
        writer.End(at);
    }
}
