namespace Slipstream.PostgreSql.Protocol;

/// <summary>
/// The first byte of what a server sends. Source: PostgreSQL 18, 54.7 "Message Formats".
/// Messages marked "no body" have length 4 and no file of their own.
/// </summary>
internal enum BackendMessage : byte
{
    /// <summary>A Parse has been done; no body.</summary>
    ParseComplete = (byte)'1',

    /// <summary>A Bind has been done; no body.</summary>
    BindComplete = (byte)'2',

    /// <summary>A Close has been done; no body.</summary>
    CloseComplete = (byte)'3',

    NotificationResponse = (byte)'A',
    CommandComplete = (byte)'C',
    DataRow = (byte)'D',
    ErrorResponse = (byte)'E',
    CopyInResponse = (byte)'G',
    CopyOutResponse = (byte)'H',

    /// <summary>The statement's text held no command; stands in place of CommandComplete; no body.</summary>
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

    /// <summary>Execute's row limit was reached; no body.</summary>
    PortalSuspended = (byte)'s',

    ParameterDescription = (byte)'t',
    NegotiateProtocolVersion = (byte)'v',
}
