namespace Slipstream.PostgreSql.Protocol;

/// <summary>
/// The type of a message from the server: its first byte. Source: PostgreSQL 18, 54.7 "Message Formats".
/// Messages marked "no body" have length 4 and no file of their own.
/// </summary>
internal enum BackendMessage : byte
{
    /// <summary>A Parse is complete; no body.</summary>
    ParseComplete = (byte)'1',

    /// <summary>A Bind is complete; no body.</summary>
    BindComplete = (byte)'2',

    /// <summary>A Close is complete; no body.</summary>
    CloseComplete = (byte)'3',

    NotificationResponse = (byte)'A',
    CommandComplete = (byte)'C',
    DataRow = (byte)'D',
    ErrorResponse = (byte)'E',
    CopyInResponse = (byte)'G',
    CopyOutResponse = (byte)'H',

    /// <summary>The statement's text contained no command; replaces CommandComplete; no body.</summary>
    EmptyQueryResponse = (byte)'I',

    BackendKeyData = (byte)'K',
    NoticeResponse = (byte)'N',
    Authentication = (byte)'R',
    ParameterStatus = (byte)'S',
    RowDescription = (byte)'T',
    FunctionCallResponse = (byte)'V',
    CopyBothResponse = (byte)'W',
    ReadyForQuery = (byte)'Z',

    /// <summary>End of a COPY's data; no body.</summary>
    CopyDone = (byte)'c',

    CopyData = (byte)'d',

    /// <summary>The statement returns no rows; answers Describe; no body.</summary>
    NoData = (byte)'n',

    /// <summary>Execute's row limit is reached; no body.</summary>
    PortalSuspended = (byte)'s',

    ParameterDescription = (byte)'t',
    NegotiateProtocolVersion = (byte)'v',
}
