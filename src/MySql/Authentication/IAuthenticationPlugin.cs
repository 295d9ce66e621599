namespace Slipstream.MySql.Authentication;

/// <summary>
/// A method of authentication that is not built in, made known by <see cref="AuthenticationPlugins.Register"/>. It is called when a server asks for it, on
/// whatever connection that is: it must not answer with anything from which the password can be recovered.
/// </summary>
public interface IAuthenticationPlugin
{
    /// <summary>The method's name, as the server sends it.</summary>
    string Name { get; }

    /// <summary>The client's answer.</summary>
    /// <param name="password">The password; empty for none.</param>
    /// <param name="authenticationData">What the server sent with the method's name: mostly random bytes.</param>
    /// <returns>What is sent to the server.</returns>
    byte[] CreateResponse(string password, ReadOnlySpan<byte> authenticationData);
}

/// <summary>A method that also knows what the server keeps of the password.</summary>
public interface IAuthenticationPlugin3 : IAuthenticationPlugin
{
    /// <summary>The client's answer, and the hash by which the server knows the password.</summary>
    /// <param name="password">The password; empty for none.</param>
    /// <param name="authenticationData">What the server sent with the method's name.</param>
    /// <param name="authenticationResponse">What is sent to the server.</param>
    /// <param name="passwordHash">The hash. It is not used: a certificate is proved only by the methods that are built in.</param>
    void CreateResponseAndPasswordHash(string password, ReadOnlySpan<byte> authenticationData, out byte[] authenticationResponse, out byte[] passwordHash);
}
