namespace Slipstream.MySql.Protocol.Commands;

/// <summary>First byte of a command's payload ("enum_server_command", my_command.h).</summary>
internal static class CommandCode
{
    /// <summary>Says goodbye; not answered.</summary>
    public const byte Quit = 0x01;

    /// <summary>Changes the default database.</summary>
    public const byte InitDatabase = 0x02;

    /// <summary>Runs a text.</summary>
    public const byte Query = 0x03;

    /// <summary>Asks whether the server is there.</summary>
    public const byte Ping = 0x0E;

    /// <summary>Logs in again.</summary>
    public const byte ChangeUser = 0x11;

    /// <summary>Prepares a statement.</summary>
    public const byte StatementPrepare = 0x16;

    /// <summary>Executes a prepared statement.</summary>
    public const byte StatementExecute = 0x17;

    /// <summary>A piece of a parameter's value.</summary>
    public const byte StatementSendLongData = 0x18;

    /// <summary>Forgets a prepared statement; not answered.</summary>
    public const byte StatementClose = 0x19;

    /// <summary>Forgets the pieces of parameters' values.</summary>
    public const byte StatementReset = 0x1A;

    /// <summary>Allows or forbids several statements in one text.</summary>
    public const byte SetOption = 0x1B;

    /// <summary>Brings the session back to its beginning.</summary>
    public const byte ResetConnection = 0x1F;

    /// <summary>MariaDB only.</summary>
    public const byte StatementBulkExecute = 0xFA;
}
