using System.Globalization;
using System.Text;

namespace Slipstream.Architecture.Messages;

/// <summary>The kind of a token of C#, as far as messages are concerned.</summary>
internal enum TokenKind
{
    Word,
    Sign,
    Text,
}

/// <summary>
/// A word, a sign or a string literal. In a literal, the holes of an interpolated string are written as <c>{expression}</c>, and escapes are resolved.
/// </summary>
internal sealed record Token(TokenKind Kind, string Value, int Line)
{
    public bool Is(string value) => Kind != TokenKind.Text && Value == value;
}

/// <summary>
/// Splits C# into tokens. It supports comments, characters, and every kind of string literal. Literals of bytes (<c>u8</c>) are left out.
/// </summary>
internal sealed class Lexer(string text)
{
    private readonly List<Token> _tokens = [];
    private int _at;
    private int _line = 1;

    public static List<Token> Read(string text)
    {
        var lexer = new Lexer(text);
        lexer.Run(closing: '\0');
        return lexer._tokens;
    }

    // Runs to the end of the text, or to the brace that closes a hole.
    private void Run(char closing)
    {
        var depth = 0;
        while (_at < text.Length)
        {
            var c = text[_at];
            if (depth == 0 && closing != '\0' && c == closing)
                return;
            if (char.IsWhiteSpace(c))
                Skip(1);
            else if (StartsWith("//") || (c == '#' && IsFirstOfLine()))
                SkipTo("\n", 0);
            else if (StartsWith("/*"))
                SkipTo("*/", 2);
            else if (c == '\'')
                Character();
            else if (IsString(out var dollars, out var verbatim, out var start))
                String(dollars, verbatim, start);
            else if (char.IsLetter(c) || c is '_' or '@')
                Word();
            else
            {
                depth += c is '(' or '[' or '{' ? 1 : c is ')' or ']' or '}' ? -1 : 0;
                var sign = StartsWith("=>") || StartsWith("??") || StartsWith("==") || StartsWith("!=") ? 2 : 1;
                _tokens.Add(new Token(TokenKind.Sign, text.Substring(_at, sign), _line));
                Skip(sign);
            }
        }
    }

    private bool StartsWith(string value) => string.CompareOrdinal(text, _at, value, 0, value.Length) == 0;

    private bool IsFirstOfLine() => text.AsSpan(0, _at) is var before && before[(before.LastIndexOf('\n') + 1)..].Trim().IsEmpty;

    private void Skip(int count)
    {
        for (; count > 0 && _at < text.Length; count--)
            _line += text[_at++] == '\n' ? 1 : 0;
    }

    private void SkipTo(string mark, int and)
    {
        var end = text.IndexOf(mark, _at, StringComparison.Ordinal);
        Skip((end < 0 ? text.Length : end + and) - _at);
    }

    private void Character()
    {
        var end = text[_at + 1] == '\\' ? text.IndexOf('\'', _at + 3) : _at + 2;
        Skip(end + 1 - _at);
    }

    private void Word()
    {
        var from = _at;
        var line = _line;
        do
            Skip(1);
        while (_at < text.Length && (char.IsLetterOrDigit(text[_at]) || text[_at] == '_'));
        _tokens.Add(new Token(TokenKind.Word, text[from.._at], line));
    }

    private bool IsString(out int dollars, out bool verbatim, out int start)
    {
        (dollars, verbatim, start) = (0, false, _at);
        while (start < text.Length && text[start] is '$' or '@')
        {
            dollars += text[start] == '$' ? 1 : 0;
            verbatim |= text[start] == '@';
            start++;
        }

        return start < text.Length && text[start] == '"';
    }

    private void String(int dollars, bool verbatim, int start)
    {
        var line = _line;
        Skip(start - _at);
        var quotes = 0;
        while (_at + quotes < text.Length && text[_at + quotes] == '"')
            quotes++;
        var isRaw = quotes >= 3;
        var mark = isRaw ? new string('"', quotes) : "\"";
        Skip(mark.Length);
        var value = new StringBuilder();
        while (_at < text.Length && !StartsWith(mark) || (verbatim && StartsWith("\"\"")))
        {
            var braces = new string('{', isRaw ? Math.Max(dollars, 1) : 1);
            if (verbatim && StartsWith("\"\""))
                Take(value, "\"", 2);
            else if (dollars > 0 && !isRaw && (StartsWith("{{") || StartsWith("}}")))
                Take(value, text[_at].ToString(), 2);
            else if (dollars > 0 && StartsWith(braces))
                Hole(value, braces.Length);
            else if (text[_at] == '\\' && !verbatim && !isRaw)
                Escape(value);
            else
                Take(value, text[_at].ToString(), 1);
        }

        Skip(mark.Length);
        if (StartsWith("u8"))
            Skip(2);
        else
            _tokens.Add(new Token(TokenKind.Text, value.ToString(), line));
    }

    private void Take(StringBuilder value, string what, int count)
    {
        value.Append(what);
        Skip(count);
    }

    // The texts in a hole are parts of the message around it, so their tokens are dropped.
    private void Hole(StringBuilder value, int braces)
    {
        Skip(braces);
        var from = _at;
        var before = _tokens.Count;
        Run('}');
        _tokens.RemoveRange(before, _tokens.Count - before);
        // Braces in the expression would end the hole too early for later readers of the text.
        value.Append('{').Append(text[from.._at].Trim().Replace('{', '(').Replace('}', ')')).Append('}');
        Skip(braces);
    }

    private void Escape(StringBuilder value)
    {
        var c = text[_at + 1];
        if (c is 'u' or 'x')
        {
            var digits = 0;
            while (digits < 4 && Uri.IsHexDigit(text[_at + 2 + digits]))
                digits++;
            Take(value, ((char)int.Parse(text.AsSpan(_at + 2, digits), NumberStyles.HexNumber, CultureInfo.InvariantCulture)).ToString(), 2 + digits);
            return;
        }

        Take(value, c switch { 'n' => "\n", 'r' => "\r", 't' => "\t", '0' => "\0", _ => c.ToString() }, 2);
    }
}
