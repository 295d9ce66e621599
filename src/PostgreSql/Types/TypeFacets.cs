namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Names of types with what a type modifier says: the length of a text or of bits, precision and scale of a number, the decimal places of seconds. Source: the
/// functions varchartypmodout, numerictypmodout, timestamptypmodout and so on in src/backend/utils/adt.
/// </summary>
internal static class TypeFacets
{
    // Modifiers of lengths and of numeric count this header, too (VARHDRSZ).
    private const int HeaderLength = 4;

    // The lower half of the modifier of interval, if it has no precision (INTERVAL_FULL_PRECISION).
    private const int FullPrecision = 0xFFFF;

    /// <summary>Returns the name of the type with its modifier, as SQL writes both; the name alone if the modifier is −1 or says nothing.</summary>
    public static string Display(PostgresType type, int modifier)
    {
        if (modifier < 0)
            return type.DisplayName;
        if (type is PostgresArrayType array)
            return Display(array.Element, modifier) + "[]";
        if (type.Namespace != "pg_catalog")
            return type.DisplayName;
        return type.InternalName switch
        {
            "varchar" when modifier >= HeaderLength => $"{type.Name}({modifier - HeaderLength})",
            // A length of 1 is what SQL's character means.
            "bpchar" when modifier > HeaderLength + 1 => $"{type.Name}({modifier - HeaderLength})",
            "numeric" when modifier >= HeaderLength => Numeric(modifier - HeaderLength),
            "bit" or "varbit" => $"{type.Name}({modifier})",
            "interval" when (modifier & FullPrecision) != FullPrecision => $"{type.Name}({modifier & FullPrecision})",
            "time" or "timetz" or "timestamp" or "timestamptz" => Seconds(type.Name, modifier),
            _ => type.DisplayName,
        };
    }

    /// <summary>
    /// Returns what a type modifier says: the length of a text or of bits, the precision and scale of a number, and the decimal places of seconds as
    /// precision. An array has the facets of its elements.
    /// </summary>
    public static (int? Size, int? Precision, int? Scale) Of(PostgresType type, int modifier)
    {
        if (modifier < 0)
            return default;
        if (type is PostgresArrayType array)
            return Of(array.Element, modifier);
        if (type.Namespace != "pg_catalog")
            return default;
        return type.InternalName switch
        {
            "varchar" or "bpchar" when modifier >= HeaderLength => (modifier - HeaderLength, null, null),
            "bit" or "varbit" => (modifier, null, null),
            "numeric" when modifier >= HeaderLength => (null, modifier - HeaderLength >> 16, Scale(modifier - HeaderLength)),
            "interval" when (modifier & FullPrecision) != FullPrecision => (null, modifier & FullPrecision, null),
            "time" or "timetz" or "timestamp" or "timestamptz" => (null, modifier, null),
            _ => default,
        };
    }

    // The scale has 11 bits and a sign.
    private static int Scale(int modifier) => ((modifier & 0x7FF) ^ 0x400) - 0x400;

    private static string Numeric(int modifier)
    {
        var precision = modifier >> 16;
        var scale = Scale(modifier);
        return scale == 0 ? $"numeric({precision})" : $"numeric({precision}, {scale})";
    }

    // The decimal places follow the first word: timestamp(3) with time zone.
    private static string Seconds(string name, int modifier)
    {
        var word = name.IndexOf(' ');
        return $"{name[..word]}({modifier}){name[word..]}";
    }
}
