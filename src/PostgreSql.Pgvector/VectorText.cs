using System.Globalization;
using System.Numerics;

namespace Slipstream.PostgreSql.Plugins;

/// <summary>Reads numbers that are separated by commas, between two brackets. After an error, numbers are 0, and the text is not complete.</summary>
internal ref struct VectorText
{
    private ReadOnlySpan<byte> _rest;
    private bool _failed;

    public VectorText(ReadOnlySpan<byte> text, byte open, byte close)
    {
        if (text.Length < 2 || text[0] != open || text[^1] != close)
        {
            _failed = true;
            return;
        }

        _rest = text[1..^1];
        Count = _rest.IsEmpty ? 0 : _rest.Count((byte)',') + 1;
    }

    /// <summary>Gets the number of elements, which is at most that of the bytes.</summary>
    public int Count { get; }

    /// <summary>Gets whether everything has been read without an error.</summary>
    public readonly bool IsComplete => !_failed && _rest.IsEmpty;

    /// <summary>Reads an element.</summary>
    /// <typeparam name="T">The type of the element.</typeparam>
    public T Element<T>()
        where T : struct, INumberBase<T>
    {
        var digits = Take((byte)',');
        _failed |= !T.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out var number);
        return number;
    }

    /// <summary>Reads the index before an element.</summary>
    public int Index()
    {
        _failed |= !TryNumber(Take((byte)':'), out var number);
        return number;
    }

    public static bool TryNumber(ReadOnlySpan<byte> digits, out int number) =>
        int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    private ReadOnlySpan<byte> Take(byte separator)
    {
        var end = _rest.IndexOf(separator);
        var taken = end < 0 ? _rest : _rest[..end];
        _rest = end < 0 ? default : _rest[(end + 1)..];
        return taken;
    }
}
