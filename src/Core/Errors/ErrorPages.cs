using System.Reflection;

namespace Slipstream.Core.Errors;

/// <summary>Finds the documentation page that explains an exception. Nothing is loaded before the first call.</summary>
/// <remarks>
/// The links consist of the site's address and of words of the documentation. No part of an exception's message becomes part of a link.
/// </remarks>
internal static class ErrorPages
{
    // Generated from docs/messages: "=ID" precedes the messages of a page; "@SERVER CODE …" lists the codes of a server that have a row of their own.
    private const string Resource = "Slipstream.Core.Errors.ErrorPages.txt";

    private const string Placeholder = "{}";

    // Error numbers have at most five characters, SQLSTATEs exactly five, and SQLSTATE classes two.
    private const int CharactersOfClass = 2;

    private static string? _address;
    private static string? _canceled;

    /// <summary>The address of the list of all messages.</summary>
    public static string Index => Address + "errors/";

    private static string Address => _address ??= typeof(ErrorPages).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .FirstOrDefault(static one => one.Key == "DocumentationAddress")?.Value ?? "";

    /// <summary>
    /// The address of the page that explains an exception of this driver, also one of .NET's types. The address of the list of all messages if no page matches.
    /// </summary>
    /// <param name="exception">An exception that a call of the driver has thrown.</param>
    public static string LinkOf(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        for (var cause = exception; cause is not null; cause = cause.InnerException)
            if (Find(cause.Message) is { } id)
                return PageOf(id);
        return Index;
    }

    /// <summary>The page of an operation that the caller cancelled.</summary>
    internal static string Canceled => _canceled ??= PageOf("operation-cancelled");

    /// <summary>The page of a command whose ambient transaction ended while it ran.</summary>
    internal static string AmbientTransactionEnded => PageOf("ambient-transaction-ended-command");

    private static string PageOf(string id) => $"{Index}{id}/";

    /// <summary>The address of the row that explains a server's error code; the address of the table if the code has no row.</summary>
    /// <param name="server">Name of the table.</param>
    /// <param name="code">The server's error number or SQLSTATE.</param>
    public static string LinkOf(string server, string code)
    {
        ArgumentNullException.ThrowIfNull(code);
        var page = $"{Index}{server}/";
        using var topics = Open();
        while (topics.ReadLine() is { } line)
        {
            if (line[0] != '@' || !line.AsSpan(1).StartsWith(server + " "))
                continue;
            var rows = line.Split(' ');
            if (Array.IndexOf(rows, code, 1) > 0)
                return $"{page}#{code}";
            return code.Length > CharactersOfClass && Array.IndexOf(rows, code[..CharactersOfClass], 1) > 0 ? $"{page}#{code[..CharactersOfClass]}" : page;
        }

        return page;
    }

    private static StreamReader Open() => new(typeof(ErrorPages).Assembly.GetManifestResourceStream(Resource)!);

    // If several forms match, the longest one is the most specific.
    private static string? Find(string message)
    {
        var (id, found, length) = ("", (string?)null, 0);
        using var topics = Open();
        while (topics.ReadLine() is { } line)
        {
            if (line[0] == '=')
                id = line[1..];
            else if (line[0] is not '@' and not '#' && line.Length > length && Matches(line, message))
                (found, length) = (id, line.Length);
        }

        return found;
    }

    /// <summary>Whether a message matches a form, in which <c>{}</c> stands for variable text.</summary>
    internal static bool Matches(ReadOnlySpan<char> form, ReadOnlySpan<char> message)
    {
        var placeholder = form.IndexOf(Placeholder);
        if (placeholder < 0)
            return message.SequenceEqual(form);
        if (!message.StartsWith(form[..placeholder]))
            return false;
        form = form[(placeholder + Placeholder.Length)..];
        message = message[placeholder..];
        while ((placeholder = form.IndexOf(Placeholder)) >= 0)
        {
            var at = message.IndexOf(form[..placeholder]);
            if (at < 0)
                return false;
            form = form[(placeholder + Placeholder.Length)..];
            message = message[(at + placeholder)..];
        }

        return message.EndsWith(form);
    }
}
