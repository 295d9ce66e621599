namespace Slipstream.Migrated;

public static class GuidCases
{
    private static readonly Guid Sample = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff");

    public static void Every_format(Trial t)
    {
        foreach (var format in Enum.GetValues<MySqlGuidFormat>())
        {
            var type = format switch
            {
                MySqlGuidFormat.Char32 => "CHAR(32)",
                MySqlGuidFormat.Binary16 or MySqlGuidFormat.TimeSwapBinary16 or MySqlGuidFormat.LittleEndianBinary16 => "BINARY(16)",
                _ => "CHAR(36)",
            };
            using var c = t.Open($"GUID Format={format}");
            c.Do("DROP TABLE IF EXISTS g");
            c.Do($"CREATE TABLE g (g {type})");
            c.Do("INSERT INTO g VALUES (@g)", ("@g", Sample));
            t.Say($"{format} stored", c.Scalar("SELECT HEX(g) FROM g"));
            for (var prepared = 0; prepared < 2; prepared++)
            {
                using var command = new MySqlCommand("SELECT g FROM g WHERE g = @g", c);
                command.Parameters.AddWithValue("@g", Sample);
                if (prepared == 1)
                    command.Prepare();
                using var reader = command.ExecuteReader();
                t.Say($"{format} found {prepared}", reader.Read());
                t.Try("value", () => reader.GetValue(0));
                t.Try("type", () => reader.GetFieldType(0));
                t.Try("guid", () => reader.GetGuid(0));
                if (format != MySqlGuidFormat.None)
                    t.Differs("text", Trial.Outcome(() => reader.GetString(0)), "getters", "a GUID has a text");
                else
                    t.Try("text", () => reader.GetString(0));
                t.Try("field", () => reader.GetFieldValue<Guid>(0));
            }
        }
    }

    public static void Old_ones(Trial t)
    {
        using var c = t.Open("Old Guids=true");
        c.Do("CREATE TABLE g (g BINARY(16), s CHAR(36))");
        c.Do("INSERT INTO g VALUES (@g, @s)", ("@g", Sample), ("@s", Sample.ToString()));
        t.Say("stored", c.Scalar("SELECT HEX(g) FROM g"));
        t.Say("read", c.All("SELECT * FROM g"));
        t.Differs(
            "both", Trial.Outcome(() => Open(t.ConnectionString + ";Old Guids=true;GUID Format=Char36")), "options that contradict each other",
            "an argument is wrong, no server was asked");

        static object Open(string options)
        {
            using var connection = new MySqlConnection(options);
            connection.Open();
            return "open";
        }
    }

    public static void In_text(Trial t)
    {
        using var c = t.Open("GUID Format=None");
        using var command = new MySqlCommand(
            "SELECT '00112233-4455-6677-8899-aabbccddeeff', '00112233445566778899aabbccddeeff', '{00112233-4455-6677-8899-aabbccddeeff}', "
                + "'(00112233-4455-6677-8899-aabbccddeeff)', "
            + "' 00112233-4455-6677-8899-aabbccddeeff ', 'no guid', UNHEX('00112233445566778899aabbccddeeff'), UNHEX('0011')", c);
        using var reader = command.ExecuteReader();
        reader.Read();
        for (var i = 0; i < reader.FieldCount; i++)
        {
            var at = i;
            t.Try($"{i}", () => reader.GetGuid(at));
            t.Try($"{i} value", () => reader.GetFieldType(at));
        }
    }
}
