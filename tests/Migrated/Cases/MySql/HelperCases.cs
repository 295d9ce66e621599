namespace Slipstream.Migrated;

public static class HelperCases
{
    public static void Escaped(Trial t)
    {
        foreach (var text in new[] { "it's", "back\\slash", "\"quoted\"", "plain", "", "new\nline", "nul\0", "a`b", "\u00b4\u02b9" })
            t.Say(text, MySqlHelper.EscapeString(text));
        t.Try("null", () => MySqlHelper.EscapeString(null!));
    }

    public static void Dates_of_the_server(Trial t)
    {
        var date = new MySqlDateTime(2024, 2, 29, 13, 14, 15, 123456);
        t.Say("parts", $"{date.Year} {date.Month} {date.Day} {date.Hour} {date.Minute} {date.Second} {date.Millisecond} {date.Microsecond} "
            + $"{date.IsValidDateTime}");
        t.Say("date", date.GetDateTime());
        t.Say("cast", (DateTime)date);
        t.Say("order", ((IComparable)date).CompareTo(new MySqlDateTime(new DateTime(2024, 3, 1))));
        t.Say("equal", date.Equals(new MySqlDateTime(2024, 2, 29, 13, 14, 15, 123456)));
        t.Try("zero", () => new MySqlDateTime(0, 0, 0, 0, 0, 0, 0).GetDateTime());
        t.Say("zero is", new MySqlDateTime().IsValidDateTime);
        t.Try("converted", () => Convert.ToDateTime(date, System.Globalization.CultureInfo.InvariantCulture));
        t.Try("as a number", () => ((IConvertible)date).ToInt32(null));
    }

    public static void Geometries(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE geo (g GEOMETRY)");
        var point = MySqlGeometry.FromWkb(0, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 0, 64]);
        c.Do("INSERT INTO geo VALUES (@g)", ("@g", point));
        t.Say("text", c.Scalar("SELECT ST_AsText(g) FROM geo"));
        using var command = new MySqlCommand("SELECT g FROM geo", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Say("wkb", reader.GetMySqlGeometry(0).WKB.ToArray());
        t.Say("srid", reader.GetMySqlGeometry(0).SRID);
        t.Say("value", reader.GetValue(0));
        t.Say("field", reader.GetFieldValue<MySqlGeometry>(0).Value.ToArray());
    }

    public static void Exact_decimals(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand("SELECT CAST(-12.50 AS DECIMAL(65,30)), CAST(0 AS DECIMAL(5,2))", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        t.Say("text", reader.GetMySqlDecimal(0).ToString());
        t.Say("value", reader.GetMySqlDecimal(0).Value);
        t.Say("double", reader.GetMySqlDecimal(0).ToDouble());
        t.Say("field", reader.GetFieldValue<MySqlDecimal>(1).ToString());
    }
}
