namespace Slipstream.MySql;

/// <summary>The credentials of a login, for <see cref="MySqlDataSourceBuilder.UseCredentialProvider"/>. (Not in MySqlConnector.)</summary>
public readonly struct MySqlCredential
{
    /// <summary>Creates credentials from a password and, if it differs from the connection string's, a user name.</summary>
    /// <param name="password">The password.</param>
    /// <param name="userId">The user name; null for the connection string's.</param>
    /// <exception cref="ArgumentNullException">The password is null.</exception>
    public MySqlCredential(string password, string? userId = null)
    {
        Password = password ?? throw new ArgumentNullException(nameof(password));
        UserId = userId;
    }

    /// <summary>Gets the password.</summary>
    public string Password { get; }

    /// <summary>Gets the user name; null for the connection string's.</summary>
    public string? UserId { get; }

    /// <summary>Returns the user name without the password.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"{nameof(MySqlCredential)} {{ UserId = {UserId} }}";
}
