using System.Data;
using System.Globalization;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>Reads declared parameters of stored programs from rows of information_schema, and converts them to parameters of a command.</summary>
internal static class Declarations
{
    /// <summary>Reads one row of <see cref="StoredPrograms.Columns"/>.</summary>
    public static DeclaredParameter Read(MySqlRow row) => Of(row.GetValue);

    /// <summary>Reads one row of <see cref="StoredPrograms.Columns"/>.</summary>
    public static DeclaredParameter Of(Func<int, object> column) => new(
        column(1) as string ?? "",
        (column(0) as string)?.ToUpperInvariant() switch
        {
            "IN" => ParameterMode.In,
            "OUT" => ParameterMode.Out,
            "INOUT" => ParameterMode.InOut,
            _ => ParameterMode.Return,
        },
        TextOf(column(2)), TextOf(column(3)), NumberOf(column(4)), (int)NumberOf(column(5)), (int)NumberOf(column(6)));

    /// <summary>Creates the parameter that a command needs: the name with its prefix, direction, type, size, precision and scale.</summary>
    public static MySqlParameter ToParameter(DeclaredParameter declared, CodecSettings codecs)
    {
        var parameter = new MySqlParameter
        {
            ParameterName = "@" + declared.Name,
            MySqlDbType = TypeOf(declared, codecs),
            Direction = declared.Mode switch
            {
                ParameterMode.Out => ParameterDirection.Output,
                ParameterMode.InOut => ParameterDirection.InputOutput,
                ParameterMode.Return => ParameterDirection.ReturnValue,
                _ => ParameterDirection.Input,
            },
        };
        var (first, second) = Numbers(declared.FullType);
        // As in MySqlConnector, the size is the first number of the declaration, whatever its meaning. The display width of integers, which MariaDB still
        // reports, is not a size.
        if (declared.DataType is "char" or "varchar" or "binary" or "varbinary" or "bit" or "decimal" or "datetime" or "timestamp" or "time"
            || (declared.DataType is "tinyint" && first == 1))
            parameter.Size = first;
        if (declared.DataType is "decimal" && !ThisAssembly.Conventions.DerivesNoPrecision)
        {
            parameter.Precision = (byte)first;
            parameter.Scale = (byte)second;
        }

        return parameter;
    }

    /// <summary>Returns the type of a declaration.</summary>
    public static MySqlDbType TypeOf(DeclaredParameter declared, CodecSettings codecs)
    {
        var guidFormat = codecs.GuidFormat;
        var isUnsigned = declared.FullType.Contains("unsigned", StringComparison.OrdinalIgnoreCase);
        var length = Numbers(declared.FullType).First;
        return declared.DataType.ToLowerInvariant() switch
        {
            "tinyint" when length == 1 && !isUnsigned && codecs.TreatTinyAsBoolean => MySqlDbType.Bool,
            "tinyint" => isUnsigned ? MySqlDbType.UByte : MySqlDbType.Byte,
            "smallint" => isUnsigned ? MySqlDbType.UInt16 : MySqlDbType.Int16,
            "mediumint" => isUnsigned ? MySqlDbType.UInt24 : MySqlDbType.Int24,
            "int" => isUnsigned ? MySqlDbType.UInt32 : MySqlDbType.Int32,
            "bigint" => isUnsigned ? MySqlDbType.UInt64 : MySqlDbType.Int64,
            "float" => MySqlDbType.Float,
            "double" => MySqlDbType.Double,
            "decimal" => MySqlDbType.NewDecimal,
            "bit" => MySqlDbType.Bit,
            "year" => MySqlDbType.Year,
            "date" => MySqlDbType.Date,
            "time" => MySqlDbType.Time,
            "datetime" => MySqlDbType.DateTime,
            "timestamp" => MySqlDbType.Timestamp,
            "char" when (length == 36 && guidFormat == MySqlGuidFormat.Char36) || (length == 32 && guidFormat == MySqlGuidFormat.Char32) => MySqlDbType.Guid,
            "char" => MySqlDbType.String,
            "varchar" => MySqlDbType.VarChar,
            "binary" when length == 16 && guidFormat is MySqlGuidFormat.Binary16 or MySqlGuidFormat.TimeSwapBinary16 or MySqlGuidFormat.LittleEndianBinary16 =>
                MySqlDbType.Guid,
            "binary" => MySqlDbType.Binary,
            "varbinary" => MySqlDbType.VarBinary,
            "tinyblob" => MySqlDbType.TinyBlob,
            "blob" => MySqlDbType.Blob,
            "mediumblob" => MySqlDbType.MediumBlob,
            "longblob" => MySqlDbType.LongBlob,
            "tinytext" => MySqlDbType.TinyText,
            "text" => MySqlDbType.Text,
            "mediumtext" => MySqlDbType.MediumText,
            "longtext" => MySqlDbType.LongText,
            "enum" => MySqlDbType.Enum,
            "set" => MySqlDbType.Set,
            "json" => MySqlDbType.JSON,
            "vector" => MySqlDbType.Vector,
            "geometry" or "point" or "linestring" or "polygon" or "multipoint" or "multilinestring" or "multipolygon" or "geometrycollection"
                or "geomcollection" =>
                MySqlDbType.Geometry,
            _ => MySqlDbType.VarChar,
        };
    }

    /// <summary>Returns the first number of the declaration: the characters of a text, or the fractional digits of a time; 0 if there is none.</summary>
    public static int LengthOf(DeclaredParameter declared) => Numbers(declared.FullType).First;

    // Returns 10 and 2 for "decimal(10,2)".
    private static (int First, int Second) Numbers(string type)
    {
        var open = type.IndexOf('(');
        var close = open < 0 ? -1 : type.IndexOf(')', open);
        if (close < 0)
            return (0, 0);
        var inner = type.AsSpan(open + 1, close - open - 1);
        var comma = inner.IndexOf(',');
        return (NumberOf(comma < 0 ? inner : inner[..comma]), comma < 0 ? 0 : NumberOf(inner[(comma + 1)..]));
    }

    private static int NumberOf(ReadOnlySpan<char> text) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0;

    private static long NumberOf(object value) => value is DBNull ? 0 : System.Convert.ToInt64(value, CultureInfo.InvariantCulture);

    private static string TextOf(object value) => value switch
    {
        string text => text,
        byte[] bytes => System.Text.Encoding.UTF8.GetString(bytes),
        _ => "",
    };
}
