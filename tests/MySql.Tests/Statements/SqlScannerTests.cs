using System.Text;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class SqlScannerTests
{
    private const int None = (int)QuotingRules.None;
    private const int NoEscapes = (int)QuotingRules.NoBackslashEscapes;
    private const int Ansi = (int)QuotingRules.AnsiQuotes;

    // The expected form marks each parameter found as «name» («?» without a name).
    [Theory]
    [InlineData("select 1", None, "select 1")]
    [InlineData("", None, "")]
    [InlineData("select @a, ?b, ?", None, "select «a», «b», «?»")]
    [InlineData("select @a_1$.x,@ü", None, "select «a_1$.x»,«ü»")]
    [InlineData("select @a+@b*@c", None, "select «a»+«b»*«c»")]
    [InlineData("select '@a', @b", None, "select '@a', «b»")]
    [InlineData("select 'it''s @a', @b", None, "select 'it''s @a', «b»")]
    [InlineData(@"select 'it\'s @a', @b", None, @"select 'it\'s @a', «b»")]
    [InlineData(@"select 'c:\', @b, '@c'", NoEscapes, @"select 'c:\', «b», '@c'")]
    [InlineData(@"select 'c:\\', @b", None, @"select 'c:\\', «b»")]
    [InlineData(@"select ""a\""@a"", @b", None, @"select ""a\""@a"", «b»")]
    [InlineData(@"select ""a\"", @b, ""@c""", Ansi, @"select ""a\"", «b», ""@c""")]
    [InlineData("select \"a\"\"@a\", @b", Ansi, "select \"a\"\"@a\", «b»")]
    [InlineData("select `a\\`, @b, `@``c`", None, "select `a\\`, «b», `@``c`")]
    [InlineData("select 1 -- @a\n, @b", None, "select 1 -- @a\n, «b»")]
    [InlineData("select 1--@a", None, "select 1--(«a»)")]
    [InlineData("select 1 --\t'\n, @b", None, "select 1 --\t'\n, «b»")]
    [InlineData("select @a --", None, "select «a» --")]
    [InlineData("select 1 # it's @a\n, @b", None, "select 1 # it's @a\n, «b»")]
    [InlineData("select /* it's @a */ @b", None, "select /* it's @a */ «b»")]
    [InlineData("select /* /* */ @b", None, "select /* /* */ «b»")]
    [InlineData("select /**/@b", None, "select /**/«b»")]
    [InlineData("select /*/ @a */ @b", None, "select /*/ @a */ «b»")]
    [InlineData("select /*+ MAX_EXECUTION_TIME(1) ' */ @b", None, "select /*+ MAX_EXECUTION_TIME(1) ' */ «b»")]
    [InlineData("select /*! @a, '*/', */ @b", None, "select /*! «a!», '*/', */ «b»")]
    [InlineData("select /*!50100 @a, /* @x */ ? */ + @b */ 2", None, "select /*!50100 «a!», /* @x */ «?!» */ + «b» */ 2")]
    [InlineData("select /*M!100100 @a */ @b", None, "select /*M!100100 «a!» */ «b»")]
    [InlineData("select @@sql_mode, @@global.x, @@`y`, @b", None, "select @@sql_mode, @@global.x, @@`y`, «b»")]
    [InlineData("select @`a b`, @'c', @\"d\"\"e\"", None, "select «a b», «c», «d\"\"e»")]
    [InlineData("select @a:=@b", None, "select «a»:=«b»")]
    [InlineData("create user 'u'@'%' identified by @p", None, "create user 'u'@'%' identified by «p»")]
    [InlineData("create user `u`@localhost identified by @p", None, "create user `u`@localhost identified by «p»")]
    [InlineData("grant all on *.* to root@localhost, x@`h`", None, "grant all on *.* to root@localhost, x@`h`")]
    [InlineData("SELECT@a limit@b", None, "SELECT «a» limit «b»")]
    [InlineData("select @`a`'b',@'c'd", None, "select «a» 'b',«c» d")]
    [InlineData("insert t values(@a,@b),(?,?)", None, "insert t values(«a»,«b»),(«?»,«?»)")]
    [InlineData("select a=?and b=?", None, "select a=«and» b=«?»")]
    [InlineData("select 'open @a", None, "select 'open @a")]
    [InlineData("select 'open \\", None, "select 'open \\")]
    [InlineData("select /* open @a", None, "select /* open @a")]
    [InlineData("select @", None, "select @")]
    [InlineData("select @ a", None, "select @ a")]
    public void Finds_parameters_outside_strings_names_and_comments(string sql, int rules, string expected)
    {
        var scanned = SqlScanner.Scan(sql, (QuotingRules)rules);

        var marked = new StringBuilder();
        for (var i = 0; i < scanned.Parameters.Length; i++)
            marked.Append(Encoding.UTF8.GetString(scanned.Piece(i)))
                .Append('«')
                .Append(scanned.Parameters[i].Name ?? "?")
                .Append(scanned.Parameters[i].IsInComment ? "!»" : "»");
        marked.Append(Encoding.UTF8.GetString(scanned.Piece(scanned.Parameters.Length)));
        Assert.Equal(expected, marked.ToString());
    }

    [Theory]
    [InlineData("", nameof(StatementKind.Empty), false)]
    [InlineData(" ; ;; -- x", nameof(StatementKind.Empty), false)]
    [InlineData("/* x */ # y\n", nameof(StatementKind.Empty), false)]
    [InlineData("select 1", nameof(StatementKind.Select), false)]
    [InlineData("  -- hello\n ( (SELECT 1) union select 2)", nameof(StatementKind.Select), false)]
    [InlineData("/*!40101 SET NAMES utf8 */;", nameof(StatementKind.Set), false)]
    [InlineData("select 1;", nameof(StatementKind.Select), false)]
    [InlineData("select 1 ; -- done\n /* x */ ;", nameof(StatementKind.Select), false)]
    [InlineData("select 1;select 2", nameof(StatementKind.Select), true)]
    [InlineData("select 1;\n(select 2)", nameof(StatementKind.Select), true)]
    [InlineData("select ';x'", nameof(StatementKind.Select), false)]
    [InlineData("insert into t values (1); 'x'", nameof(StatementKind.Insert), true)]
    [InlineData("Insert t values (1)", nameof(StatementKind.Insert), false)]
    [InlineData("replace t values (1)", nameof(StatementKind.Replace), false)]
    [InlineData("update t set a=1", nameof(StatementKind.Update), false)]
    [InlineData("delete from t", nameof(StatementKind.Delete), false)]
    [InlineData("with a as (select 1) select * from a", nameof(StatementKind.With), false)]
    [InlineData("call p(1)", nameof(StatementKind.Call), false)]
    [InlineData("set @a=1", nameof(StatementKind.Set), false)]
    [InlineData("use db", nameof(StatementKind.Use), false)]
    [InlineData("show tables", nameof(StatementKind.Show), false)]
    [InlineData("explain select 1", nameof(StatementKind.Show), false)]
    [InlineData("start transaction", nameof(StatementKind.Transaction), false)]
    [InlineData("create table t(a int)", nameof(StatementKind.Definition), false)]
    [InlineData("create procedure p() begin select 1; select 2; end", nameof(StatementKind.Definition), true)]
    [InlineData("load data local infile 'x' into table t", nameof(StatementKind.Load), false)]
    [InlineData("do sleep(1)", nameof(StatementKind.Do), false)]
    [InlineData("lock tables t read", nameof(StatementKind.Lock), false)]
    [InlineData("delimiter //", nameof(StatementKind.Delimiter), false)]
    [InlineData("selected", nameof(StatementKind.Other), false)]
    [InlineData("?", nameof(StatementKind.Other), false)]
    [InlineData("TABLE t", nameof(StatementKind.Select), false)]
    public void Knows_the_first_statement_and_whether_there_are_more(string sql, string kind, bool several)
    {
        var scanned = SqlScanner.Scan(sql, QuotingRules.None);

        Assert.Equal(kind, scanned.Kind.ToString());
        Assert.Equal(several, scanned.HasSeveralStatements);
    }

    [Theory]
    [InlineData("select @a, ?b from t where ü = ?", "select ?, ? from t where ü = ?")]
    [InlineData("select 1", "select 1")]
    [InlineData("?", "?")]
    public void The_prepared_form_has_question_marks(string sql, string prepared) =>
        Assert.Equal(prepared, Encoding.UTF8.GetString(SqlScanner.Scan(sql, QuotingRules.None).Prepared));

    [Fact]
    public void Names_without_a_parameter_stay_variables_where_they_are_allowed()
    {
        var scanned = SqlScanner.Scan("select @p, @v := @`v w`, ?q", QuotingRules.AllowUserVariables);
        Assert.True(scanned.MayUseVariables);

        var bound = scanned.Without(name => name == "p");

        Assert.Equal("select ?, @v := @`v w`, ?", Encoding.UTF8.GetString(bound.Prepared));
        Assert.Equal(["p", "q"], bound.Parameters.Select(place => place.Name));
        Assert.Same(scanned, scanned.Without(_ => true));
        Assert.False(SqlScanner.Scan("select @p", QuotingRules.None).MayUseVariables);
    }

    // If each mark caused a search through all text before it, this would take minutes.
    [Theory]
    [InlineData("'a'@", 1_000_000)]
    [InlineData("@a,", 300_000)]
    [InlineData("?,", 1_000_000)]
    [InlineData("/*!", 1_000_000)]
    [InlineData("/* */", 1_000_000)]
    [InlineData("x@y", 1_000_000)]
    [InlineData("``", 2_000_000)]
    [InlineData("--;", 1_000_000)]
    [InlineData("\\'\"", 1_000_000)]
    public void Takes_linear_time(string pattern, int times)
    {
        var sql = string.Concat(Enumerable.Repeat(pattern, times));
        var before = System.Diagnostics.Stopwatch.GetTimestamp();
        SqlScanner.Scan(sql, QuotingRules.None);
        Assert.InRange(System.Diagnostics.Stopwatch.GetElapsedTime(before).TotalSeconds, 0, 10);
    }

    [Theory]
    [InlineData("@\"a\\\", ?", (int)(QuotingRules.AnsiQuotes | QuotingRules.AllowUserVariables), 2)]
    [InlineData("@\"a\\\", ?", (int)QuotingRules.AllowUserVariables, 1)]
    [InlineData("@'a\\', ?", (int)(QuotingRules.AnsiQuotes | QuotingRules.AllowUserVariables), 1)]
    [InlineData("@'a\\', ?", (int)(QuotingRules.NoBackslashEscapes | QuotingRules.AllowUserVariables), 2)]
    public void A_backslash_in_the_quoted_name_of_a_variable_is_what_it_is_elsewhere_in_such_quotes(string sql, int rules, int parameters) =>
        Assert.Equal(parameters, SqlScanner.Scan("SELECT " + sql, (QuotingRules)rules).Parameters.Length);
}
