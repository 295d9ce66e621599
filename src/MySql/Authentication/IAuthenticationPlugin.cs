namespace Slipstream.MySql.Authentication;

/// <summary>
/// An authentication method that is not built in. <see cref="AuthenticationPlugins.Register"/> registers it. The driver calls it if a server requests the
/// method, on any connection, encrypted or not: its response must not allow the password to be recovered.
/// </summary>
public interface IAuthenticationPlugin
{
    /// <summary>Gets the method's name, as the server sends it.</summary>
    string Name { get; }

    /// <summary>Creates the client's response.</summary>
    /// <param name="password">The password; empty for none.</param>
    /// <param name="authenticationData">The data that the server sent with the method's name: mostly random bytes.</param>
    /// <returns>The response to send to the server.</returns>
    byte[] CreateResponse(string password, ReadOnlySpan<byte> authenticationData);
}

/// <summary>An authentication method that also computes the server's hash of the password.</summary>
public interface IAuthenticationPlugin3 : IAuthenticationPlugin
{
    /// <summary>Creates the client's response, and the server's hash of the password.</summary>
    /// <param name="password">The password; empty for none.</param>
    /// <param name="authenticationData">The data that the server sent with the method's name.</param>
    /// <param name="authenticationResponse">The response to send to the server.</param>
    /// <param name="passwordHash">The hash. The driver does not use it: only built-in methods can prove a certificate.</param>
    void CreateResponseAndPasswordHash(string password, ReadOnlySpan<byte> authenticationData, out byte[] authenticationResponse, out byte[] passwordHash);
}
