using System.Text;

namespace Slipstream.Race.Scenarios;

/// <summary>The SQL texts of the scenarios. Texts that differ by database take the dialect as an argument.</summary>
internal static class Statements
{
    public const string Scalar = "select max(value) from integers;";
    public const string ManyRows = "select * from integers a join integers b join integers c;";
    public const string ManyRowsPostgreSql = "select * from integers a cross join integers b cross join integers c;";
    public const string Fortunes = "SELECT id, message FROM fortune";
    public const string FortuneById = "SELECT message FROM fortune WHERE id = @id";
    public const string Typed = "select id, b, d, m, t, s from typed";
    public const string LargeBlob = "select content from largeblob";
    public const string Insert = "INSERT INTO test VALUES (@p1,@p2,@p3),(@p4,@p5,@p6),(@p7,@p8,@p9)";

    public const string InsertOne = "INSERT INTO test VALUES (@p1,@p2,@p3)";

    public const string WorldById = "SELECT id, randomnumber FROM world WHERE id = @id";

    public const int FortuneCount = 12;
    public const int ManyRowsCount = 1_000;
    public const int ManyRowsSum = 4_500;
    public const int LargeBlobLength = 20 * 1024 * 1024;
    public const int TypedCount = 100_000;

    public const int StreamedRows = 4;
    public const int StreamedLength = 256 * 1024 * 1024;

    /// <summary>Returns a query of four values of 256 MiB that the server generates during the query, so nothing of that size is stored.</summary>
    public static string Streamed(Dialect dialect)
    {
        var text = $"repeat('Slipstream race.', {StreamedLength / 16})";
        return $"select {(dialect is Dialect.PostgreSql ? $"convert_to({text}, 'UTF8')" : $"cast({text} as binary)")} from integers where value < "
            + $"{StreamedRows}";
    }

    public static string Blobs(Dialect dialect) => dialect is Dialect.PostgreSql ? "select \"Blob\" from blobs;" : "select `Blob` from blobs;";

    public static string Many(Dialect dialect) => dialect is Dialect.PostgreSql ? ManyRowsPostgreSql : ManyRows;

    /// <summary>Returns an insert of three columns per row, with parameters named @p0 to @p(parameters − 1).</summary>
    public static string InsertOf(int parameters)
    {
        var text = new StringBuilder("insert into test values ");
        for (var i = 0; i < parameters; i += 3)
            text.Append(i == 0 ? "" : ",").Append("(@p").Append(i).Append(",@p").Append(i + 1).Append(",@p").Append(i + 2).Append(')');
        return text.ToString();
    }
}
