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
    private string? _whyNone;

    public override string? Password => _password;

    public override string? WhyNone => _whyNone;

    // A local file: waiting for it is not worth another thread.
    public override void Wait() => _password = settings.Environment["PGPASSWORD"] ?? ReadFile();

    public override ValueTask WaitAsync()
    {
        Wait();
        return default;
    }

    private string? ReadFile()
    {
        if ((settings.Passfile.Length > 0 ? settings.Passfile : settings.Environment.PasswordFile) is not { } path)
            return null;
        if (!File.Exists(path))
        {
            return None(Directory.Exists(path)
                ? $"the password file '{path}' is a folder: name the file, or set Password"
                : $"the password file '{path}' does not exist: create it, name another one, or set Password");
        }

        try
        {
            // The mode is that of the file that is read, even if its name now belongs to another file.
            using var file = PasswordFile.Open(path);
            if (PasswordFile.IsOpenToOthers(file))
            {
                fileIgnored?.Invoke(path);
                return None($"the password file '{path}' is ignored, because other users can access it: chmod 600, or set Password");
            }

            return PasswordFile.Find(PasswordFile.Lines(file), Hosts(), Port(), settings.Database, settings.Username) switch
            {
                null => None($"the password file '{path}' has no line for this server, database and user: add one, or set Password"),
                "" => None($"the line of the password file '{path}' for this server has an empty one: complete the line, or set Password"),
                var password => password,
            };
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ArgumentException($"The password file '{path}' cannot be read: {exception.Message}", exception);
        }
    }

    private string? None(string why)
    {
        _whyNone = why;
        return null;
    }

    // As in libpq, a unix socket is found by its folder, and as localhost.
    private string[] Hosts() => endpoint.IsUnixSocket ? [Path.GetDirectoryName(endpoint.Host) ?? "", "localhost"] : [endpoint.Host];

    // The name of a unix socket ends with its port.
    private int Port() => !endpoint.IsUnixSocket ? endpoint.Port
        : int.TryParse(Path.GetExtension(endpoint.Host).TrimStart('.'), out var port) ? port
        : (int)PgOptions.Port.Default;
}
