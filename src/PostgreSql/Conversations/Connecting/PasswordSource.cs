using Slipstream.Core.Conversations;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>The source of the password if the options do not have it. The login waits for it only if the server asks for a password.</summary>
internal abstract class PasswordSource : ExternalSource
{
    /// <summary>Gets the password after the wait; null if there is none.</summary>
    public abstract string? Password { get; }

    /// <summary>Gets why there is no password, and what to do, for a message; null if the source says no more than that.</summary>
    public virtual string? WhyNone => null;
}
