namespace Slipstream.MySql.Protocol.Commands;

/// <summary>The first byte of a command's payload ("enum_server_command", my_command.h).</summary>
internal static class CommandCode
{
    /// <summary>COM_QUIT: ends the session. The server does not answer.</summary>
    public const byte Quit = 0x01;

    /// <summary>COM_INIT_DB: changes the default database.</summary>
    public const byte InitDatabase = 0x02;

    /// <summary>COM_QUERY: executes SQL text.</summary>
    public const byte Query = 0x03;

    /// <summary>COM_PING: checks whether the server answers.</summary>
    public const byte Ping = 0x0E;

    /// <summary>COM_CHANGE_USER: logs in again.</summary>
    public const byte ChangeUser = 0x11;

    /// <summary>COM_STMT_PREPARE: prepares a statement.</summary>
    public const byte StatementPrepare = 0x16;

    /// <summary>COM_STMT_EXECUTE: executes a prepared statement.</summary>
    public const byte StatementExecute = 0x17;

    /// <summary>COM_STMT_SEND_LONG_DATA: sends a piece of a parameter's value. The server does not answer.</summary>
    public const byte StatementSendLongData = 0x18;

    /// <summary>COM_STMT_CLOSE: releases a prepared statement. The server does not answer.</summary>
    public const byte StatementClose = 0x19;

    /// <summary>COM_STMT_RESET: discards the pieces of parameter values that were sent.</summary>
    public const byte StatementReset = 0x1A;

    /// <summary>COM_SET_OPTION: allows or forbids several statements in one text.</summary>
    public const byte SetOption = 0x1B;

    /// <summary>COM_RESET_CONNECTION: resets the session to its state after the login.</summary>
    public const byte ResetConnection = 0x1F;

    /// <summary>COM_STMT_BULK_EXECUTE: executes a prepared statement with many rows of values. MariaDB only.</summary>
    public const byte StatementBulkExecute = 0xFA;
}
