using System.CommandLine;
using System.Text.Json;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Tool.Output;

namespace Slipstream.Tool.Connections;

/// <summary>A connection string, and the driver that it is for.</summary>
internal sealed record Target(Provider Provider, string ConnectionString)
{
    public string ProviderName => Provider == Provider.MySql ? "mysql" : "postgresql";

    /// <summary>Gets the options of the driver; the message of a refused one has no secret.</summary>
    public MySqlConnectionStringBuilder MySql => new(ConnectionString);

    public PgConnectionStringBuilder PostgreSql => new(ConnectionString);
}

/// <summary>The parts of a command line that say which server to connect to.</summary>
internal sealed class ConnectionSource
{
    private readonly Argument<string?> _text = new("connection-string")
    {
        Description = "The connection string of the application; '-' reads it from the standard input, so that the password is not in the command line.",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly Option<string?> _environment = new("--env")
    {
        Description = "Reads the connection string from this environment variable.",
        HelpName = "NAME",
    };

    private readonly Option<string?> _settings = new("--appsettings")
    {
        Description = "Reads the connection string from this file, such as appsettings.json.",
        HelpName = "FILE",
    };

    private readonly Option<string?> _key = new("--name")
    {
        Description = "The name in the section ConnectionStrings of --appsettings, or a path such as 'Shop:Database'. Default: the only one.",
        HelpName = "NAME",
    };

    private readonly Option<string?> _provider = new("--provider")
    {
        Description = "mysql (also MariaDB) or postgresql. Default: what the words of the connection string show.",
        HelpName = "mysql|postgresql",
    };

    public void AddTo(Command command)
    {
        command.Arguments.Add(_text);
        foreach (var option in (Option[])[_environment, _settings, _key, _provider])
            command.Options.Add(option);
    }

    /// <exception cref="ToolException">The connection string is missing, or the driver cannot be guessed, or refuses an option.</exception>
    public Target Read(ParseResult result, TextReader input, Secrets secrets)
    {
        var text = ReadText(result, input);
        var options = ConnectionText.Read(text)
            ?? throw new ToolException("The text is not a connection string.", "Write it as the application does: Server=…;User ID=…;Database=…");
        foreach (var (name, value) in options)
            if (ConnectionText.IsSecret(name))
                secrets.Add(value);
        var provider = result.GetValue(_provider)?.ToLowerInvariant() switch
        {
            null => ConnectionText.Guess(options) ?? throw new ToolException(
                "The connection string may be for either driver.", "Add --provider mysql (also for MariaDB) or --provider postgresql."),
            "mysql" or "mariadb" => Provider.MySql,
            "postgresql" or "postgres" or "npgsql" => Provider.PostgreSql,
            var other => throw new ToolException($"There is no provider '{other}'.", "Write --provider mysql (also for MariaDB) or --provider postgresql."),
        };
        var target = new Target(provider, text);
        try
        {
            // What the driver's builder refuses, the application cannot use either.
            _ = provider == Provider.MySql ? (System.Data.Common.DbConnectionStringBuilder)target.MySql : target.PostgreSql;
        }
        catch (ArgumentException exception)
        {
            throw new ToolException(exception.Message, Pages.AddressOf("options.md"));
        }

        return target;
    }

    private string ReadText(ParseResult result, TextReader input)
    {
        var (text, environment, settings, key) =
            (result.GetValue(_text), result.GetValue(_environment), result.GetValue(_settings), result.GetValue(_key));
        if (new object?[] { text, environment, settings }.Count(static one => one is not null) is var given and not 1)
            throw new ToolException(
                given == 0 ? "There is no connection string." : "There is more than one source of a connection string.",
                "Give it as the argument, as '-' on the standard input, or with --env or --appsettings.");
        if (key is not null && settings is null)
            throw new ToolException("--name belongs to --appsettings.");
        if (text == "-")
            return input.ReadLine() is { Length: > 0 } line ? line : throw new ToolException("The standard input has no connection string.");
        if (environment is not null)
            return Environment.GetEnvironmentVariable(environment) is { Length: > 0 } value
                ? value
                : throw new ToolException($"The environment variable {environment} is not set.");
        return text ?? ReadSettings(settings!, key);
    }

    private static string ReadSettings(string path, string? key)
    {
        if (!File.Exists(path))
            throw new ToolException($"There is no file {path}.");
        try
        {
            using var document = JsonDocument.Parse(
                File.ReadAllText(path), new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
            if (key is null)
            {
                var all = Find(document.RootElement, ["ConnectionStrings"]) is { ValueKind: JsonValueKind.Object } section ? section.EnumerateObject().ToList()
                    : [];
                return all.Count == 1
                    ? all[0].Value.GetString() ?? ""
                    : throw new ToolException(
                        all.Count == 0 ? $"{path} has no section ConnectionStrings." : $"{path} has several connection strings.",
                        all.Count == 0 ? "Name the value with --name, such as Shop:Database." : "Name one with --name: "
                            + string.Join(", ", all.Select(static one => one.Name)));
            }

            var found = Find(document.RootElement, ["ConnectionStrings", .. key.Split(':')]) ?? Find(document.RootElement, key.Split(':'));
            return found is { ValueKind: JsonValueKind.String } value
                ? value.GetString()!
                : throw new ToolException($"{path} has no text '{key}', neither in ConnectionStrings nor at that path.");
        }
        catch (JsonException exception)
        {
            throw new ToolException($"{path} is not JSON: {exception.Message}");
        }
    }

    // Configuration keys are read without regard to case.
    private static JsonElement? Find(JsonElement element, IEnumerable<string> path)
    {
        foreach (var name in path)
        {
            if (element.ValueKind != JsonValueKind.Object)
                return null;
            var found = element.EnumerateObject().Where(property => property.Name.Equals(name, StringComparison.OrdinalIgnoreCase)).ToList();
            if (found.Count == 0)
                return null;
            element = found[0].Value;
        }

        return element;
    }
}
