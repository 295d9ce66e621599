using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;

namespace Slipstream.MySql;

/// <summary>The server, or a device between it and the client, violated the protocol. The connection is closed.</summary>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it.")]
public sealed class MySqlProtocolException : InvalidOperationException
{
    internal MySqlProtocolException(ProtocolException cause)
        : base(cause.Message, cause.InnerException)
    {
    }

    /// <summary>Gets or sets the address of the documentation page that explains the error. The driver looks up the page at the first access.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }
}

/// <summary>
/// The server closed the connection in the middle of a message. The type exists for source compatibility with MySqlConnector. This provider throws a
/// <see cref="MySqlException"/> instead, which shows whether the command may have run.
/// </summary>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it.")]
public sealed class MySqlEndOfStreamException : EndOfStreamException
{
    internal MySqlEndOfStreamException(int expectedByteCount, int readByteCount)
        : base($"The server closed the connection: expected {expectedByteCount:N0} bytes, but received {readByteCount:N0} bytes.")
    {
        ExpectedByteCount = expectedByteCount;
        ReadByteCount = readByteCount;
    }

    /// <summary>Gets or sets the address of the documentation page that explains the error. The driver looks up the page at the first access.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }

    /// <summary>Gets the number of bytes that the message needed.</summary>
    public int ExpectedByteCount { get; }

    /// <summary>Gets the number of bytes received.</summary>
    public int ReadByteCount { get; }
}
