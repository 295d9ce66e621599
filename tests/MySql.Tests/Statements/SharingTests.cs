using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>Which statements may run on a session that others use at the same time, and which do.</summary>
public class SharingTests
{
    [Theory]
    [InlineData("SELECT a, b FROM t WHERE id = @id")]
    [InlineData("select max(a) from t where b in (1, 2) order by c limit 3")]
    [InlineData("SELECT 'text' /* comment */ -- the end")]
    public void A_read_that_leaves_no_trace_can(string sql) => Assert.True(new MySqlStatement(sql).CanShare);

    [Theory]
    [InlineData("INSERT INTO t VALUES (1)")]
    [InlineData("UPDATE t SET a = 1")]
    [InlineData("DELETE FROM t")]
    [InlineData("SELECT 1; SELECT 2")]
    [InlineData("SELECT 1; DELETE FROM t")]
    [InlineData("SELECT * FROM t FOR UPDATE")]
    [InlineData("SELECT * FROM t LOCK IN SHARE MODE")]
    [InlineData("SELECT a INTO @a FROM t")]
    [InlineData("SELECT @a := 1")]
    [InlineData("SELECT @`a`")]
    [InlineData("SELECT @'a'")]
    [InlineData("SELECT @@autocommit")]
    [InlineData("SELECT LAST_INSERT_ID()")]
    [InlineData("SELECT FOUND_ROWS()")]
    [InlineData("SELECT ROW_COUNT()")]
    [InlineData("SELECT GET_LOCK('a', 1)")]
    [InlineData("SELECT IS_FREE_LOCK('a')")]
    [InlineData("SELECT SLEEP(1)")]
    [InlineData("SELECT BENCHMARK(1, 1)")]
    [InlineData("SELECT CONNECTION_ID()")]
    [InlineData("SELECT my_function(1)")]
    [InlineData("SELECT COUNT (1) FROM t")]
    [InlineData("SELECT * FROM information_schema.tables")]
    [InlineData("SELECT NEXTVAL(s)")]
    [InlineData("SELECT NEXT VALUE FOR s")]
    [InlineData("SELECT PREVIOUS VALUE FOR s")]
    [InlineData("SELECT LASTVAL(s)")]
    [InlineData("SELECT SETVAL(s, 1)")]
    [InlineData("SELECT `get_lock`('a', 1)")]
    [InlineData("SELECT \"get_lock\"('a', 1)")]
    [InlineData("SELECT db.f(1)")]
    [InlineData("SELECT RELEASE_ALL_LOCKS()")]
    [InlineData("SELECT MASTER_POS_WAIT('f', 4)")]
    [InlineData("SELECT WAIT_FOR_EXECUTED_GTID_SET('a', 1)")]
    [InlineData("SELECT SOURCE_POS_WAIT('f', 4)")]
    [InlineData("SELECT LAST_INSERT_ID(5)")]
    [InlineData("SELECT SQL_CALC_FOUND_ROWS * FROM t")]
    [InlineData("SELECT * INTO OUTFILE '/f' FROM t")]
    [InlineData("SELECT * FROM t INTO DUMPFILE '/f'")]
    [InlineData("SELECT * FROM t FOR SHARE")]
    [InlineData("SELECT * FROM t FOR UPDATE SKIP LOCKED")]
    [InlineData("WITH x AS (SELECT SLEEP(1)) SELECT * FROM x")]
    [InlineData("WITH x AS (SELECT 1 AS n) DELETE FROM t WHERE n IN (SELECT n FROM x)")]
    [InlineData("SET STATEMENT max_statement_time = 1 FOR SELECT 1")]
    [InlineData("REPLACE INTO t VALUES (1)")]
    [InlineData("LOAD DATA LOCAL INFILE 'f' INTO TABLE t")]
    [InlineData("SAVEPOINT s")]
    [InlineData("KILL 5")]
    [InlineData("SET @a = 1")]
    [InlineData("USE other")]
    [InlineData("CALL p()")]
    [InlineData("DO 1")]
    [InlineData("SHOW WARNINGS")]
    [InlineData("BEGIN")]
    [InlineData("START TRANSACTION")]
    [InlineData("COMMIT")]
    [InlineData("CREATE TEMPORARY TABLE t (a int)")]
    [InlineData("HANDLER t OPEN")]
    [InlineData("LOCK TABLES t READ")]
    [InlineData("PREPARE s FROM 'SELECT 1'")]
    [InlineData("EXECUTE s")]
    [InlineData("XA START 'a'")]
    [InlineData("SELECT 1 /*! INTO @a */")]
    [InlineData("SELECT 'open")]
    [InlineData("SELECT 'a\\' ; DELETE FROM t -- '")]
    [InlineData("")]
    public void What_changes_its_session_asks_for_it_waits_or_writes_cannot(string sql) => Assert.False(new MySqlStatement(sql).CanShare);

    [Fact]
    public void It_is_shared_when_it_has_run_alone_and_was_quick()
    {
        var memory = new SharingMemory();
        Assert.False(memory.IsQuick);
        memory.Ran(false, 500, 100, false);
        Assert.False(memory.IsQuick);
        memory.Ran(false, 500, 100, false);
        Assert.True(memory.IsQuick);
    }

    [Theory]
    [InlineData(true, 10, 10, true, 1)]
    [InlineData(true, 10, SharingMemory.LargestResult + 1, false, 1)]
    [InlineData(true, 200_000, 10, false, 1)]
    [InlineData(false, 200_000, 10, false, 1)]
    [InlineData(true, 2 * SharingMemory.SlowMicroseconds, 10, false, 16)]
    public void What_failed_was_large_or_slow_keeps_off_for_a_while(bool shared, long microseconds, long bytes, bool failed, int times)
    {
        var memory = new SharingMemory();
        memory.Ran(false, 10, 10, false);
        memory.Ran(false, 10, 10, false);
        for (var i = 0; i < times; i++)
        {
            Assert.True(memory.IsQuick);
            memory.Ran(shared, microseconds, bytes, failed);
        }

        for (var i = 1; i < SharingMemory.Pause; i++)
            Assert.False(memory.IsQuick);
        Assert.True(memory.IsQuick);
        memory.Ran(true, 10, 10, false);
        Assert.True(memory.IsQuick);
    }
}
