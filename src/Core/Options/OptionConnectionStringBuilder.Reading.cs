namespace Slipstream.Core.Data;

/// <content>
/// Reads a plain connection string without the runtime's parser, which builds and runs regular expressions (docs/decisions/0016). Only for builders inside the
/// driver: the base class does not know the values that were read.
/// </content>
public abstract partial class OptionConnectionStringBuilder
{
    // Canonical values by option name; null if the base class holds the values.
    private Dictionary<string, string>? _read;

    /// <summary>
    /// Reads a connection string with the same result and the same errors as setting
    /// <see cref="System.Data.Common.DbConnectionStringBuilder.ConnectionString"/>.
    /// </summary>
    private protected void Read(string connectionString)
    {
        if (!TryRead(connectionString))
            Set(connectionString);
    }

    /// <summary>Sets the connection string. A URL is refused, with an example of a connection string.</summary>
    private protected void Set(string connectionString)
    {
        _table.RefuseUrl(connectionString);
        ConnectionString = connectionString;
    }

    // Quoted, escaped, empty, unknown and invalid parts are left to the runtime's parser.
    private bool TryRead(ReadOnlySpan<char> text)
    {
        var read = new Dictionary<string, string>();
        while (!text.IsEmpty)
        {
            var end = text.IndexOf(';');
            var pair = end < 0 ? text : text[..end];
            text = end < 0 ? default : text[(end + 1)..];
            if (pair.IsWhiteSpace())
                continue;
            var equals = pair.IndexOf('=');
            if (equals < 0)
                return false;
            var keyword = pair[..equals].Trim();
            var value = pair[(equals + 1)..].Trim();
            if (keyword.IsEmpty || value.IsEmpty || pair[equals + 1] == '=' || !IsPlain(pair) || !_table.TryFind(keyword.ToString(), out var option))
                return false;
            try
            {
                read[option.Name] = option.Canonical(value.ToString());
            }
            catch (ArgumentException)
            {
                return false;
            }
        }

        _read = read;
        return true;
    }

    private static bool IsPlain(ReadOnlySpan<char> pair)
    {
        foreach (var letter in pair)
        {
            if (letter is '"' or '\'' || char.IsControl(letter))
                return false;
        }

        return true;
    }

    // Called before the first change: moves the values that were read into the base class.
    private void KeepInBase()
    {
        if (_read is not { } read)
            return;
        _read = null;
        foreach (var option in _table.Options)
        {
            if (read.TryGetValue(option.Name, out var text))
                base[option.Name] = text;
        }
    }
}
