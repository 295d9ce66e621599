namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Converts money to and from <see cref="decimal"/>: 8 bytes, in hundredths. In text, lc_monetary decides on symbols and separators, as in "-$1,234.56",
/// so only the digits and the sign count. Source: src/backend/utils/adt/cash.c, cash_send and cash_out.
/// </summary>
/// <remarks>
/// Neither format contains the number of decimals of lc_monetary. Like Npgsql, the driver assumes 2, which is right for most currencies; in a database whose
/// lc_monetary has another number, such as yen, cast money to numeric in SQL.
/// </remarks>
internal sealed class MoneyConverter : PgConverter<decimal>
{
    private const byte Decimals = 2;

    public override decimal Read(ref PgValueReader reader)
    {
        var hundredths = reader.IsBinary ? reader.ReadInt64() : ReadText(ref reader);
        var magnitude = unchecked((ulong)(hundredths < 0 ? -hundredths : hundredths));
        return new(unchecked((int)magnitude), unchecked((int)(magnitude >> 32)), 0, hundredths < 0, Decimals);
    }

    public override void Write(ref PgValueWriter writer, decimal value) =>
        writer.WriteInt64(checked((long)(decimal.Round(value, Decimals, MidpointRounding.AwayFromZero) * 100m)));

    private static long ReadText(ref PgValueReader reader)
    {
        var number = UInt128.Zero;
        var isNegative = false;
        var digits = 0;
        foreach (var character in reader.ReadRest())
        {
            isNegative |= character is (byte)'-' or (byte)'(';
            if (character is < (byte)'0' or > (byte)'9' || ++digits > 20)
                continue;
            number = number * 10 + (uint)(character - '0');
        }

        if (digits is 0 or > 20 || number > (isNegative ? (UInt128)long.MaxValue + 1 : (UInt128)long.MaxValue))
            reader.Fail();
        return unchecked((long)(isNegative ? 0 - (ulong)number : (ulong)number));
    }
}
