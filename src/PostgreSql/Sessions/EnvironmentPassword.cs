using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>The password of one login from PGPASSWORD or a password file. It is read only if the server asks for a password, and for each login anew.</summary>
/// <param name="settings">The settings of the data source.</param>
/// <param name="endpoint">The server.</param>
/// <param name="fileIgnored">Receives the path of a password file that other users can use. It is not read.</param>
internal sealed class EnvironmentPassword(PgSettings settings, Endpoint endpoint, Action<string>? fileIgnored) : PasswordSource
{
    private string? _password;

    public override string? Password => _password;

    // A local file: waiting for it is not worth another thread.
    public override void Wait() => _password = settings.Environment["PGPASSWORD"] ?? ReadFile();

    public override ValueTask WaitAsync()
    {
        Wait();
        return default;
    }

    private string? ReadFile()
    {
        if ((settings.Passfile.Length > 0 ? settings.Passfile : settings.Environment.PasswordFile) is not { } path || !File.Exists(path))
            return null;
        try
        {
            // The mode is that of the file that is read, even if its name now belongs to another file.
            using var file = PasswordFile.Open(path);
            if (!PasswordFile.IsOpenToOthers(file))
                return PasswordFile.Find(PasswordFile.Lines(file), Hosts(), Port(), settings.Database, settings.Username);
            fileIgnored?.Invoke(path);
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ArgumentException($"The password file '{path}' cannot be read: {exception.Message}", exception);
        }
    }

    // As in libpq, a unix socket is found by its folder, and as localhost.
    private string[] Hosts() => endpoint.IsUnixSocket ? [Path.GetDirectoryName(endpoint.Host) ?? "", "localhost"] : [endpoint.Host];

    // The name of a unix socket ends with its port.
    private int Port() => !endpoint.IsUnixSocket ? endpoint.Port
        : int.TryParse(Path.GetExtension(endpoint.Host).TrimStart('.'), out var port) ? port
        : (int)PgOptions.Port.Default;
}
