using System.Text.RegularExpressions;

namespace Slipstream.Architecture.Messages;

/// <summary>
/// Finds every message in the shipped sources: the texts passed to constructors of exceptions, and every other text that reads like prose. So it also finds a
/// message that is passed on (as an argument, a property, a return value) before an exception is created from it. The program src/Tool is left out: its texts
/// are what it prints, and each says what to do (docs/tool.md).
/// </summary>
internal static partial class ThrownMessages
{
    // Names before prose that no exception shows: attributes, and arguments of options that contain an option's text.
    private static readonly string[] _attributes =
        [
            "Description", "DisplayName", "Category", "LoggerMessage", "SuppressMessage", "UnconditionalSuppressMessage", "Obsolete", "MemberNotNull",
            "RequiresUnreferencedCode", "RequiresDynamicCode", "DebuggerDisplay", "ExcludeFromCodeCoverage", "SupportedOSPlatform"
        ];

    public static List<Thrown> All { get; } = [.. Directory.EnumerateFiles(SourceFile.Root, "*.cs", SearchOption.AllDirectories)
        .Select(file => (File: file, Path: Path.GetRelativePath(SourceFile.Root, file).Replace('\\', '/')))
        .Where(file => !file.Path.Contains("/obj/") && !file.Path.Contains("/bin/") && !file.Path.StartsWith("Tool/", StringComparison.Ordinal))
        .OrderBy(file => file.Path, StringComparer.Ordinal)
        .SelectMany(file => Of(file.Path, File.ReadAllText(file.File)))];

    public static IEnumerable<Thrown> Of(string path, string source)
    {
        var tokens = Joined(Lexer.Read(source));
        var seen = new HashSet<int>();
        for (var i = 0; i < tokens.Count; i++)
        {
            if (OwnTextOf(tokens, i) is { } own)
                yield return new Thrown($"{path}:{tokens[i].Line}", own.Type, own.Text);
            if (Constructed(tokens, i) is not { } type)
                continue;
            var open = i + (tokens[i + 1].Is("(") ? 1 : 2);
            var arguments = Arguments(tokens, open);
            var reason = string.Join(
                " or ",
                arguments[0]
                    .Where(at => at > 1 && tokens[at - 1].Is(".") && tokens[at - 2].Value is "WireFailure" or "MySqlErrorCode")
                    .Select(at => tokens[at].Value));
            var safety = SafetyBehind(tokens, arguments[^1] is [.., var last] ? last + 1 : open + 1);
            if (type == "ProtocolException")
            {
                var parts = arguments.Take(2).Select((argument, index) => PartOf(tokens, argument, index == 0 ? "{expected}" : "{came}", seen)).ToList();
                var line = tokens[i].Line;
                foreach (var expected in parts[0])
                    foreach (var came in parts[1])
                        yield return new Thrown($"{path}:{line}", type, $"The server violated the protocol: expected {expected}, but received {came}. The "
                            + "connection is closed.");
                continue;
            }

            foreach (var at in arguments.SelectMany(argument => argument))
            {
                if (tokens[at].Kind == TokenKind.Text
                    && !seen.Contains(at)
                    && tokens[at].Value.Contains(' ')
                    && tokens[at].Value.Any(char.IsLetter)
                    && !IsInner(tokens, open, at))
                {
                    seen.Add(at);
                    yield return new Thrown($"{path}:{tokens[at].Line}", type, tokens[at].Value) { Reason = reason, Safety = safety };
                }
            }
        }

        for (var i = 0; i < tokens.Count; i++)
        {
            if (tokens[i].Kind == TokenKind.Text && !seen.Contains(i) && IsProse(tokens[i].Value) && !IsInAttribute(tokens, i) && !IsDescription(path))
                yield return new Thrown($"{path}:{tokens[i].Line}", null, tokens[i].Value);
        }
    }

    // "a" + "b" is one text; so is "a" + b + "c", with a variable part for b.
    private static List<Token> Joined(List<Token> tokens)
    {
        var joined = new List<Token>(tokens.Count);
        foreach (var token in tokens)
        {
            if (token.Kind == TokenKind.Text && joined is [.., { Kind: TokenKind.Text } first, { Value: "+" }])
            {
                joined.RemoveAt(joined.Count - 1);
                joined[^1] = first with { Value = first.Value + token.Value };
            }
            else
                joined.Add(token);
        }

        return joined;
    }

    // 'new XException (' or, in a method that returns one, 'XException Name(…) => new (' and 'return new ('.
    private static string? Constructed(List<Token> tokens, int at)
    {
        if (!tokens[at].Is("new") || at + 2 >= tokens.Count)
            return null;
        if (tokens[at + 1].Value.EndsWith("Exception", StringComparison.Ordinal) && tokens[at + 2].Is("("))
            return tokens[at + 1].Value;
        if (!tokens[at + 1].Is("(") || at < 2 || !(tokens[at - 1].Is("=>") && tokens[at - 2].Is(")")))
            return null;
        var depth = 0;
        for (var i = at - 2; i > 1; i--)
        {
            depth += tokens[i].Is(")") ? 1 : tokens[i].Is("(") ? -1 : 0;
            if (depth == 0)
                return tokens[i - 2].Value.TrimEnd('?') is var type && type.EndsWith("Exception", StringComparison.Ordinal) ? type : null;
        }

        return null;
    }

    private static List<List<int>> Arguments(List<Token> tokens, int open)
    {
        var arguments = new List<List<int>> { new() };
        var depth = 0;
        for (var i = open; i < tokens.Count; i++)
        {
            if (tokens[i].Kind == TokenKind.Sign)
            {
                depth += tokens[i].Value is "(" or "[" or "{" ? 1 : tokens[i].Value is ")" or "]" or "}" ? -1 : 0;
                if (depth == 0)
                    break;
                if (depth == 1 && tokens[i].Value == ",")
                {
                    arguments.Add([]);
                    continue;
                }
            }

            if (i > open)
                arguments[^1].Add(i);
        }

        return arguments;
    }

    // ArgumentNullException.ThrowIfNull(…), new NotSupportedException(), new ArgumentNullException(nameof(…)): the texts are .NET's own.
    private static (string Type, string Text)? OwnTextOf(List<Token> tokens, int at)
    {
        if (at + 4 >= tokens.Count)
            return null;
        var (word, next) = (tokens[at].Value, tokens[at + 1]);
        if (word.EndsWith("Exception", StringComparison.Ordinal) && next.Is(".") && tokens[at + 2].Value.StartsWith("ThrowIf", StringComparison.Ordinal))
            return (word, $"(.NET: {word}.{tokens[at + 2].Value})");
        if (word != "new" || !next.Value.EndsWith("Exception", StringComparison.Ordinal) || !tokens[at + 2].Is("("))
            return null;
        return tokens[at + 3].Is(")") || (tokens[at + 3].Is("nameof") && tokens[at + 6].Is(")") && tokens[at + 7].Is(")"))
            ? (next.Value, $"(.NET: {next.Value})")
            : null;
    }

    // new WireException(…) { RetrySafety = RetrySafety.NotSent }
    private static string? SafetyBehind(List<Token> tokens, int close)
    {
        var behind = tokens.Skip(close).Take(8).Select(token => token.Value).ToArray();
        return behind is [")", "{", "RetrySafety", "=", "RetrySafety", ".", var safety, ..] ? safety : null;
    }

    // The texts of an argument of ProtocolException: one, or one of each branch of a conditional; a variable part if it comes from elsewhere.
    private static List<string> PartOf(List<Token> tokens, List<int> argument, string otherwise, HashSet<int> seen)
    {
        var texts = argument.Where(at => tokens[at].Kind == TokenKind.Text && tokens[at].Value.Any(char.IsLetterOrDigit)).ToList();
        seen.UnionWith(texts);
        return texts.Count == 0 || (argument.Count > 1 && !argument.Any(at => tokens[at].Is("?") || tokens[at].Is("=>")))
            ? [otherwise]
            : [.. texts.Select(at => tokens[at].Value)];
    }

    // Returns true inside the constructor of another exception, which is read separately.
    private static bool IsInner(List<Token> tokens, int open, int at)
    {
        for (var i = open + 1; i < at; i++)
        {
            if (Constructed(tokens, i) is not null && Arguments(tokens, i + (tokens[i + 1].Is("(") ? 1 : 2)).Any(argument => argument.Contains(at)))
                return true;
        }

        return false;
    }

    // A text with at least three separate lower-case words; not an SQL statement, not a list of names.
    private static bool IsProse(string text) =>
        !Sql().IsMatch(text)
            && Words().Count(text) is var words
            && (words >= 3 || (words >= 1 && text.Contains('{') && text.Contains(' ')) || (words == 2 && text.EndsWith('.')));

    private static bool IsInAttribute(List<Token> tokens, int at)
    {
        for (var i = at - 1; i > 1 && !tokens[i].Is(";") && !tokens[i].Is("{"); i--)
        {
            if (tokens[i].Is("(")
                && tokens[i - 1].Kind == TokenKind.Word
                && _attributes.Contains(tokens[i - 1].Value)
                && (tokens[i - 2].Is("[") || tokens[i - 2].Is(":") || tokens[i - 2].Is(",")))
                return true;
        }

        return false;
    }

    // The texts of options, of logging and of metrics.
    private static bool IsDescription(string path) =>
        path.EndsWith("Options.cs", StringComparison.Ordinal) || path.StartsWith("Core/Diagnostics/", StringComparison.Ordinal);

    [GeneratedRegex(@"(?<![^\s'(])[\p{L}']*\p{Ll}[\p{L}']*(?=[\s,.:;)!?…]|$)(?![.=:]\w)")]
    private static partial Regex Words();

    [GeneratedRegex(@"^\s*(SELECT|INSERT|UPDATE|DELETE|SHOW|SET|WITH|CREATE|DROP|CALL|DO|BEGIN) ")]
    private static partial Regex Sql();
}
