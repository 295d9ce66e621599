namespace Slipstream.Lab;

/// <summary>A user of a lab server, one for each authentication method and demand that the server knows.</summary>
/// <param name="Name">The user's name.</param>
/// <param name="Password">The password, empty where the method takes none.</param>
/// <param name="Method">The server's own word for the method: <c>mysql_native_password</c>, <c>client_ed25519</c>, <c>scram-sha-256</c>, …</param>
/// <param name="Notes">What else the server demands, or empty: <c>ssl</c>, <c>x509</c>, <c>socket</c>, <c>empty password</c>, …</param>
public sealed record LabUser(string Name, string Password, string Method, string Notes);
