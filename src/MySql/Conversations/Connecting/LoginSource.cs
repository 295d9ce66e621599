using Slipstream.Core.Conversations;

namespace Slipstream.MySql.Conversations;

/// <summary>The source of user name and password if the connection string does not have them. The login waits for it, and not for the server.</summary>
internal abstract class LoginSource : ExternalSource
{
    /// <summary>Returns the options with the values of this source.</summary>
    public abstract ConnectOptions Apply(ConnectOptions options);
}
