using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class MultiRowInsertTests
{
    [Theory]
    [InlineData("INSERT INTO t (a,b) VALUES (?,?)", "INSERT INTO t (a,b) VALUES (?,?),(?,?)")]
    [InlineData("insert t value(@a , @b);", "insert t value(? , ?),(? , ?)")]
    [InlineData("INSERT INTO `d``b`.`values (` (`a`, `b`)\nVALUES\n( ?a, 'x''' , NULL, -1.5, DEFAULT)", null)]
    [InlineData(
        "INSERT INTO `d`.`values (` (`a`, `b`)\nVALUES\n( ?a, 'x' , NULL, -1.5, DEFAULT)",
        "INSERT INTO `d`.`values (` (`a`, `b`)\nVALUES\n( ?, 'x' , NULL, -1.5, DEFAULT),( ?, 'x' , NULL, -1.5, DEFAULT)")]
    [InlineData("INSERT INTO t (value, `values`) VALUES (@v, @`w`)", "INSERT INTO t (value, `values`) VALUES (?, ?),(?, ?)")]
    [InlineData("INSERT IGNORE INTO t VALUES (?)", null)]
    [InlineData("INSERT DELAYED INTO t VALUES (?)", null)]
    [InlineData("INSERT INTO t VALUES (?) ON DUPLICATE KEY UPDATE a = 1", null)]
    [InlineData("INSERT INTO t VALUES (?) RETURNING id", null)]
    [InlineData("INSERT INTO t VALUES (?) AS new", null)]
    [InlineData("INSERT INTO t VALUES (?), (?)", null)]
    [InlineData("INSERT INTO t SELECT ?", null)]
    [InlineData("INSERT INTO t SET a = ?", null)]
    [InlineData("INSERT INTO t VALUES (UUID_TO_BIN(?))", null)]
    [InlineData("INSERT INTO t VALUES (?, LAST_INSERT_ID())", null)]
    [InlineData("INSERT INTO t VALUES (? + 1)", "INSERT INTO t VALUES (? + 1),(? + 1)")]
    [InlineData("INSERT INTO t VALUES (?+1)", null)]
    [InlineData("INSERT INTO t VALUES (?, (SELECT 1))", null)]
    [InlineData("INSERT INTO t VALUES (? /* c */)", null)]
    [InlineData("INSERT /*+ hint */ INTO t VALUES (?)", null)]
    [InlineData("INSERT INTO t VALUES (?) -- c", null)]
    [InlineData("INSERT INTO t VALUES (?, 1--1)", null)]
    [InlineData("INSERT INTO t VALUES (?); DELETE FROM t", null)]
    [InlineData("INSERT INTO t VALUES (?, 'a\\'b')", null)]
    [InlineData("INSERT INTO t VALUES (1)", null)]
    [InlineData("INSERT INTO t VALUES (?", null)]
    [InlineData("REPLACE INTO t VALUES (?)", null)]
    [InlineData("UPDATE t SET a = ?", null)]
    [InlineData("INSERT INTO t VALUES", null)]
    public void Only_a_plain_insert_of_one_row_becomes_one_of_many(string sql, string? two)
    {
        var insert = MultiRowInsert.From(sql, SqlScanner.Scan(sql, QuotingRules.None));
        Assert.Equal(two, insert?.Text(2));
    }

    [Theory]
    [InlineData(1, 1000)]
    [InlineData(65, 1000)]
    [InlineData(66, 992)]
    [InlineData(1000, 65)]
    [InlineData(65535, 1)]
    public void The_full_size_stays_below_the_most_parameters_of_a_statement(int parameters, int rows)
    {
        var insert = new MultiRowInsert("INSERT INTO t VALUES ", "(?)", "", parameters);
        Assert.Equal(rows, insert.FullSize);
        Assert.True(insert.FullSize * parameters <= 65535);
    }

    [Fact]
    public void Any_number_of_rows_is_full_statements_and_powers_of_two()
    {
        var insert = new MultiRowInsert("INSERT INTO t VALUES ", "(?)", "", 1);
        var sizes = new List<int>();
        for (var left = 2777; left > 0; left -= sizes[^1])
            sizes.Add(insert.NextSize(left));
        Assert.Equal([1000, 1000, 512, 256, 8, 1], sizes);
        foreach (var size in sizes)
            Assert.Equal(size, SqlScanner.Scan(insert.Text(size), QuotingRules.None).Parameters.Length);
    }

    [Fact]
    public void The_text_of_a_size_is_made_once()
    {
        var insert = new MultiRowInsert("INSERT INTO t VALUES ", "(?)", " AS n", 70);
        Assert.Equal("INSERT INTO t VALUES (?),(?) AS n", insert.Text(2));
        Assert.Same(insert.Text(2), insert.Text(2));
        Assert.Same(insert.Text(insert.FullSize), insert.Text(insert.FullSize));
        Assert.NotEqual(insert.Text(512), insert.Text(insert.FullSize));
    }
}
