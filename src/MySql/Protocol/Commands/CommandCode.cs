namespace Slipstream.MySql.Protocol.Commands;

/// <summary>First byte of a command's payload ("enum_server_command", my_command.h).</summary>
public static class CommandCode
{
    public const byte Quit = 0x01;
    public const byte InitDatabase = 0x02;
    public const byte Query = 0x03;
    public const byte Ping = 0x0E;
    public const byte ChangeUser = 0x11;
    public const byte StatementPrepare = 0x16;
    public const byte StatementExecute = 0x17;
    public const byte StatementSendLongData = 0x18;
    public const byte StatementClose = 0x19;
    public const byte StatementReset = 0x1A;
    public const byte SetOption = 0x1B;
    public const byte ResetConnection = 0x1F;

    /// <summary>MariaDB only.</summary>
    public const byte StatementBulkExecute = 0xFA;
}
