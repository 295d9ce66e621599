namespace Slipstream.Lab;

/// <summary>A user of a lab server. There is one for each authentication method and each requirement of the server.</summary>
/// <param name="Name">The user's name.</param>
/// <param name="Password">The password; empty if the method does not use one.</param>
/// <param name="Method">The server's name of the method: <c>mysql_native_password</c>, <c>client_ed25519</c>, <c>scram-sha-256</c>, …</param>
/// <param name="Notes">Other requirements of the server, or empty: <c>ssl</c>, <c>x509</c>, <c>socket</c>, <c>empty password</c>, …</param>
public sealed record LabUser(string Name, string Password, string Method, string Notes);
