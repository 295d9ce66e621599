namespace Slipstream.MySql;

/// <summary>Who logs in, from <see cref="MySqlDataSourceBuilder.UseCredentialProvider"/>. (Not in MySqlConnector.)</summary>
public readonly struct MySqlCredential
{
    /// <summary>Creates credentials of a password and, if it is not the connection string's, a user name.</summary>
    /// <param name="password">The password.</param>
    /// <param name="userId">The user's name; null for the connection string's.</param>
    /// <exception cref="ArgumentNullException">There is no password.</exception>
    public MySqlCredential(string password, string? userId = null)
    {
        Password = password ?? throw new ArgumentNullException(nameof(password));
        UserId = userId;
    }

    /// <summary>The password.</summary>
    public string Password { get; }

    /// <summary>The user's name; null for the connection string's.</summary>
    public string? UserId { get; }

    /// <summary>Without the password.</summary>
    public override string ToString() => $"{nameof(MySqlCredential)} {{ UserId = {UserId} }}";
}
