namespace Slipstream.Core.Data;

/// <content>
/// Reading a plain connection string without the runtime's parser, which makes and runs regular expressions (docs/decisions/0016).
/// Only for builders that stay inside the driver: the base class would not know what was read.
/// </content>
public abstract partial class OptionConnectionStringBuilder
{
    // Canonical texts by the names of the options; null when the base class has them.
    private Dictionary<string, string>? _read;

    /// <summary>
    /// Reads a connection string as <see cref="System.Data.Common.DbConnectionStringBuilder.ConnectionString"/> does when it is set, faults included.
    /// </summary>
    private protected void Read(string connectionString)
    {
        if (!TryRead(connectionString))
            Set(connectionString);
    }

    /// <summary>Sets the connection string; what is none at all is refused with an example of one.</summary>
    private protected void Set(string connectionString)
    {
        _table.RefuseUrl(connectionString);
        ConnectionString = connectionString;
    }

    // What is quoted, escaped, empty, unknown or not allowed is the runtime's to understand or to refuse.
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

    // Before the first change: what was read becomes what was set.
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
