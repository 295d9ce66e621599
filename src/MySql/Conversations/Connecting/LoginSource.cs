using Slipstream.Core.Conversations;

namespace Slipstream.MySql.Conversations;

/// <summary>Whoever knows the user's name and password when the connection string does not: a wait that is not for the server.</summary>
internal abstract class LoginSource : ExternalSource
{
    /// <summary>The options with what was produced.</summary>
    public abstract ConnectOptions Apply(ConnectOptions options);
}
