using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.ValueConversion;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>
/// The text of a Guid that is stored as 16 bytes, or as digits: its digits in hexadecimal, in the order of the text, with a hyphen inserted at four places. The
/// conversion of the column shows the order of the bytes.
/// </summary>
internal static class GuidText
{
    private const int Length = 16;

    private static readonly int[] Places = [9, 14, 19, 24];
    private static readonly SqlConstantExpression Hyphen = new("-", MySqlStringTypeMapping.Default);

    // Each byte is its own place in the text.
    private static readonly Guid Probe = new([.. Enumerable.Range(0, Length).Select(static place => (byte)place)], true);

    /// <summary>Returns the text of a Guid; null if its conversion does more than to order the bytes.</summary>
    public static SqlExpression? Of(SqlExpression guid)
    {
        if (guid.TypeMapping?.Converter is not { } converter)
            return null;
        if (IsDigits(converter))
            return WithHyphens(guid);
        if (Order(converter) is not { } order)
            return null;
        var digits = Call("HEX", guid);
        // Neighbours in both orders are one part.
        List<SqlExpression> parts = [];
        for (int place = 0, count; place < Length; place += count)
        {
            for (count = 1; place + count < Length && order[place + count] == order[place] + count; count++)
                continue;
            parts.Add(Call("SUBSTRING", digits, Number((2 * order[place]) + 1), Number(2 * count)));
        }

        return WithHyphens(parts.Count == 1 ? digits : Call("CONCAT", [.. parts]));
    }

    /// <summary>Returns whether two Guids are stored in forms that the server would not find equal.</summary>
    public static bool Differ(SqlExpression left, SqlExpression right) => IsGuid(left) && IsGuid(right) && Form(left) is { } form && Form(right) is { } other
        && !form.SequenceEqual(other);

    private static bool IsGuid(SqlExpression expression) => (Nullable.GetUnderlyingType(expression.Type) ?? expression.Type) == typeof(Guid);

    // Texts: no order. Digits: the order of the text, but as text. Null if it is unknown.
    private static int[]? Form(SqlExpression guid) => guid.TypeMapping switch
    {
        null => null,
        { Converter: null } => [],
        { Converter: var converter } when IsDigits(converter) => [Length],
        { Converter: var converter } => converter.ConvertToProvider(Probe) is string text && text == Probe.ToString() ? [] : Order(converter),
    };

    private static bool IsDigits(ValueConverter converter) => converter.ConvertToProvider(Probe) is string text && text == Probe.ToString("N");

    private static SqlFunctionExpression WithHyphens(SqlExpression digits) => Call(
        "LOWER", Places.Aggregate(digits, static (text, place) => Call("INSERT", text, Number(place), Number(0), Hyphen)));

    // Where each byte of the text is among those of the column.
    private static int[]? Order(ValueConverter converter)
    {
        if (converter.ConvertToProvider(Probe) is not byte[] { Length: Length } bytes)
            return null;
        int[] order = [.. Enumerable.Range(0, Length).Select(place => Array.IndexOf(bytes, (byte)place))];
        return order.Contains(-1) ? null : order;
    }

    private static SqlConstantExpression Number(int value) => new(value, IntTypeMapping.Default);

    private static SqlFunctionExpression Call(string name, params SqlExpression[] arguments) => new(
        name, arguments, nullable: true, arguments.Select(static argument => argument is not SqlConstantExpression), typeof(string),
        MySqlStringTypeMapping.Default);
}
