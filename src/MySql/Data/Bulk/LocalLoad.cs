using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// LOAD DATA LOCAL INFILE in a command's text, where the conventions allow it, and only to a server whose certificate was verified, as in MySqlConnector. The
/// text names the file, so the driver reads it; the text that is sent has a random name in its place, and the server can ask for no other.
/// </summary>
internal static class LocalLoad
{
    /// <summary>Returns the exchange that loads the file, and the open file; null for any other text.</summary>
    /// <param name="command">The command, on an open connection.</param>
    /// <param name="session">Its session.</param>
    /// <param name="options">Options for the file.</param>
    /// <exception cref="MySqlException">The file cannot be opened.</exception>
    public static (LoadDataExchange Exchange, FileStream File)? Of(MySqlCommand command, MySqlSession session, FileOptions options)
    {
        var text = command.CommandText;
        if (!text.Contains("INFILE", StringComparison.OrdinalIgnoreCase)
            || command.MySqlSource.Settings is not { AllowLoadLocalInfile: true, SslMode: MySqlSslMode.VerifyCA or MySqlSslMode.VerifyFull }
            || command.Connection!.HasOpenReader
            || (session.State.Capabilities & Protocol.Connect.Capabilities.LocalFiles) == 0
            || command.HasSeveralStatements(session)
            || NameIn(text, command, session.State.Quoting) is not { } found)
            return null;
        var file = LocalFile.Open(found.Name, options);
        var name = ":slipstream:" + RandomNumberGenerator.GetHexString(32, lowercase: true);
        var sql = MySqlCommand.Readable($"{text[..found.From]}'{name}'{text[found.To..]}", session);
        return (new LoadDataExchange(session.Context, Encoding.UTF8.GetBytes(sql), name, new StreamPieces(file)), file);
    }

    // The file's name, and where it is in the text: a literal, or the only parameter.
    private static (string Name, int From, int To)? NameIn(string text, MySqlCommand command, QuotingRules quoting)
    {
        var at = 0;
        if (!Word("LOAD") || !Word("DATA"))
            return null;
        _ = Word("LOW_PRIORITY") || Word("CONCURRENT");
        if (!Word("LOCAL") || !Word("INFILE"))
            return null;
        Blanks();
        var from = at;
        if (at < text.Length && text[at] == '\'')
            return command.Parameters.Count == 0 && Literal() is { } name ? (name, from, at) : null;
        while (at < text.Length && (char.IsLetterOrDigit(text[at]) || text[at] is '@' or '?' or '_'))
            at++;
        return command.Parameters is { Count: 1 } parameters && at > from && parameters.IndexOf(text[from..at]) == 0 && parameters[0].Value is string value
            ? (value, from, at)
            : null;

        void Blanks()
        {
            while (at < text.Length && char.IsWhiteSpace(text[at]))
                at++;
        }

        bool Word(string word)
        {
            Blanks();
            var end = at + word.Length;
            if (end >= text.Length || !text.AsSpan(at, word.Length).Equals(word, StringComparison.OrdinalIgnoreCase) || !char.IsWhiteSpace(text[end]))
                return false;
            at = end;
            return true;
        }

        string? Literal()
        {
            var name = new StringBuilder();
            for (at++; at < text.Length; at++)
            {
                if (text[at] == '\\' && (quoting & QuotingRules.NoBackslashEscapes) == 0)
                {
                    // Only what a path needs.
                    if (++at >= text.Length || text[at] is not ('\\' or '\'' or '"'))
                        return null;
                }
                else if (text[at] == '\'' && (++at >= text.Length || text[at] != '\''))
                    return name.ToString();
                name.Append(text[at]);
            }

            return null;
        }
    }
}
