using System.Text;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Tests.Statements;

public class SqlScannerTests
{
    [Fact]
    public void Dollar_zero_is_no_parameter()
    {
        var statement = Assert.Single(SqlScanner.Scan("select $0, $1", named: false).Statements);
        Assert.Equal("select $0, $1", Text(statement));
        Assert.Equal([0], statement.Places);
    }

    [Theory]
    [InlineData("prepare x as select $2, $1")]
    [InlineData("/* first */ PREPARE x (int, int) AS SELECT $2 - $1")]
    [InlineData("create function f(int, int) returns int return $2 - $1")]
    [InlineData("create or replace function f(int, int) returns int begin atomic select 1; select $2 - $1; end")]
    [InlineData("create procedure p(int, int) begin atomic select $2; select $1; end")]
    public void Parameters_of_what_a_statement_makes_are_left_alone(string sql)
    {
        var statements = SqlScanner.Scan($"select $3; {sql} ; select $2", named: false).Statements;
        Assert.Equal(["select $1", sql + " ", "select $1"], statements.Select(Text));
        Assert.Equal([2], statements[0].Places);
        Assert.Empty(statements[1].Places);
        Assert.Equal([1], statements[2].Places);
    }

    [Theory]
    [InlineData("create table t as select $1")]
    [InlineData("create or replace view v as select $1")]
    [InlineData("declare prepare cursor for select $1")]
    [InlineData("execute x($1)")]
    [InlineData("explain select $1")]
    public void Parameters_of_other_utility_statements_are_the_commands(string sql) =>
        Assert.Equal([0], Assert.Single(SqlScanner.Scan(sql, named: false).Statements).Places);

    [Theory]
    [InlineData("select @a", "select $1", "a")]
    [InlineData("select :a, @b, :a", "select $1, $2, $1", "a b")]
    [InlineData("select @a::int", "select $1::int", "a")]
    [InlineData("select '2020-01-01'::date, @a", "select '2020-01-01'::date, $1", "a")]
    [InlineData("select x::text, @a from t", "select x::text, $1 from t", "a")]
    [InlineData("select '@a', @b", "select '@a', $1", "b")]
    [InlineData("select 'it''s @a', @b", "select 'it''s @a', $1", "b")]
    [InlineData("select E'it\\'s @a', @b", "select E'it\\'s @a', $1", "b")]
    [InlineData("select e'\\\\', @b", "select e'\\\\', $1", "b")]
    [InlineData("select 'back\\', @b", "select 'back\\', $1", "b")]
    [InlineData("select \"@a\", @b", "select \"@a\", $1", "b")]
    [InlineData("select \"a\"\"@b\", @c", "select \"a\"\"@b\", $1", "c")]
    [InlineData("select $$@a$$, @b", "select $$@a$$, $1", "b")]
    [InlineData("select $x$@a $$ $y$ $x$, @b", "select $x$@a $$ $y$ $x$, $1", "b")]
    [InlineData("select a$b$c, @d", "select a$b$c, $1", "d")]
    [InlineData("select 1 -- @a\n, @b", "select 1 -- @a\n, $1", "b")]
    [InlineData("select 1 /* @a /* @b */ @c */, @d", "select 1 /* @a /* @b */ @c */, $1", "d")]
    [InlineData("select a @> b, a <@ b, @@ c, @d", "select a @> b, a <@ b, @@ c, $1", "d")]
    [InlineData("select arr[1:n], arr[:n]", "select arr[1:n], arr[$1]", "n")]
    [InlineData("select :größe_1", "select $1", "größe_1")]
    [InlineData("select @a'", "select $1'", "a")]
    [InlineData("select mail@host", "select mail@host", "")]
    [InlineData("select @", "select @", "")]
    [InlineData("select $", "select $", "")]
    [InlineData("select ':a", "select ':a", "")]
    [InlineData("select /* :a", "select /* :a", "")]
    public void Finds_named_parameters_only_in_code(string sql, string rewritten, string names)
    {
        var scanned = SqlScanner.Scan(sql, named: true);
        Assert.Equal(rewritten, Text(Assert.Single(scanned.Statements)));
        Assert.Equal(names, string.Join(' ', scanned.Names));
    }

    [Theory]
    [InlineData("select @0, @1, :2, @a", "select $1, $2, $3, $4", "0 1 2 a")]
    [InlineData("select i=@0, (@1), [:2], a<:3", "select i=$1, ($2), [$3], a<$4", "0 1 2 3")]
    [InlineData("select arr[1:2], arr[n:2], a::int4, x@1, '@1', @@1", "select arr[1:2], arr[n:2], a::int4, x@1, '@1', @@1", "")]
    [InlineData("select @1a, @1", "select $1, $2", "1a 1")]
    public void Finds_parameters_called_by_numbers_where_some_are(string sql, string rewritten, string names)
    {
        var scanned = SqlScanner.Scan(sql, named: true, numbered: true);
        Assert.Equal(rewritten, Text(Assert.Single(scanned.Statements)));
        Assert.Equal(names, string.Join(' ', scanned.Names));
        if (names.Contains('1', StringComparison.Ordinal))
            Assert.DoesNotContain("1", SqlScanner.Scan(sql, named: true).Names);
    }

    [Theory]
    [InlineData("select '#'")]
    [InlineData("select 1 -- #")]
    [InlineData("select \"#x\"")]
    public void Refuses_half_of_a_surrogate_pair(string sql) =>
        Assert.Contains(
            "surrogate", Assert.Throws<EncoderFallbackException>(() => SqlScanner.Scan(sql.Replace('#', '\uD801'), named: true)).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData("select 1;   select 2", "select 1|select 2")]
    [InlineData("select 1;\n\n/* c */ select 2", "select 1|/* c */ select 2")]
    [InlineData(" select 1; ", " select 1")]
    [InlineData("select 1; select 2", "select 1|select 2")]
    [InlineData("select 1;", "select 1")]
    [InlineData("select 1;;  ; -- nothing\n", "select 1")]
    [InlineData("select ';'; select \";\"; select $$;$$", "select ';'|select \";\"|select $$;$$")]
    [InlineData("create rule r as on insert to t do (insert into u values (1); delete from v); select 1",
        "create rule r as on insert to t do (insert into u values (1); delete from v)|select 1")]
    [InlineData("create function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3",
        "create function f() returns int begin atomic select case when true then 1 end; select 2; end|select 3")]
    [InlineData("begin; select 1; end; select 2", "begin|select 1|end|select 2")]
    [InlineData("", "")]
    [InlineData("-- only a comment", "-- only a comment")]
    public void Cuts_at_semicolons_between_statements(string sql, string statements) =>
        Assert.Equal(statements, string.Join('|', SqlScanner.Scan(sql, named: true).Statements.Select(Text)));

    [Fact]
    public void Each_statement_counts_its_own_parameters()
    {
        var scanned = SqlScanner.Scan("insert into a values (@x, @y); insert into b values (@y)", named: true);
        Assert.Equal(["x", "y"], scanned.Names);
        Assert.Equal("insert into a values ($1, $2)", Text(scanned.Statements[0]));
        Assert.Equal([0, 1], scanned.Statements[0].Places);
        Assert.Equal("insert into b values ($1)", Text(scanned.Statements[1]));
        Assert.Equal([1], scanned.Statements[1].Places);
    }

    [Fact]
    public void Positional_parameters_keep_their_numbers_as_places()
    {
        var scanned = SqlScanner.Scan("select $2, $1, $2, @ -5, @x; select $1", named: false);
        Assert.Equal("select $1, $2, $1, @ -5, @x", Text(scanned.Statements[0]));
        Assert.Equal([1, 0], scanned.Statements[0].Places);
        Assert.Equal([0], scanned.Statements[1].Places);
        Assert.Empty(scanned.Names);
    }

    [Fact]
    public void Refuses_named_and_positional_in_one_text() => Assert.Throws<ArgumentException>(() => SqlScanner.Scan("select @a, $1", named: true));

    [Fact]
    public void Refuses_a_zero_character() => Assert.Throws<ArgumentException>(() => SqlScanner.Scan("select 1\0; drop table t", named: true));

    [Fact]
    public void Thirty_thousand_parameters_take_no_time_to_speak_of()
    {
        var sql = "select " + string.Join(", ", Enumerable.Range(0, 30_000).Select(i => $"@p{i}"));
        var scanned = SqlScanner.Scan(sql, named: true);
        Assert.Equal(30_000, scanned.Names.Length);
        Assert.EndsWith("$30000", Text(scanned.Statements[0]));
    }

    private static string Text(ScannedStatement statement) => Encoding.UTF8.GetString(statement.Sql);
}
