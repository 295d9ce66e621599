using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;

namespace Slipstream.MySql;

/// <summary>The server, or something between it and this client, broke the protocol. The connection is closed.</summary>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it.")]
public sealed class MySqlProtocolException : InvalidOperationException
{
    internal MySqlProtocolException(ProtocolException cause)
        : base(cause.Message, cause.InnerException)
    {
    }

    /// <summary>The address of the page of the documentation that explains the error. It is found when it is first asked for.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }
}

/// <summary>
/// The server closed the connection in the middle of a message. Applications written for MySqlConnector name it; this provider throws a
/// <see cref="MySqlException"/> in its place, which says whether the command may have run.
/// </summary>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it.")]
public sealed class MySqlEndOfStreamException : EndOfStreamException
{
    internal MySqlEndOfStreamException(int expectedByteCount, int readByteCount)
        : base($"The server closed the connection: expected {expectedByteCount:N0} bytes, {readByteCount:N0} came.")
    {
        ExpectedByteCount = expectedByteCount;
        ReadByteCount = readByteCount;
    }

    /// <summary>The address of the page of the documentation that explains the error. It is found when it is first asked for.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }

    /// <summary>How many bytes the message needed.</summary>
    public int ExpectedByteCount { get; }

    /// <summary>How many of them came.</summary>
    public int ReadByteCount { get; }
}
