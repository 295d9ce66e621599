using System.Data;
using System.Globalization;

namespace Slipstream.PostgreSql.Tests.Transcripts;

/// <summary>The recorded scenarios: each is a handful of commands and their results. They use only objects that their own session creates.</summary>
internal static class Scenarios
{
    public static readonly Dictionary<string, Func<PgDataSource, Pen, Task>> All = new()
    {
        ["scalars"] = async (source, pen) =>
        {
            await using var connection = await pen.Open(source);
            for (var i = 0; i < 2; i++)
                await pen.Scalar(new("select 40 + 2", connection));
            await pen.Scalar(With(new("select $1 || $2", connection), "one ", "two"));
            await pen.Scalar(new("select 1 where false", connection));
            await pen.Scalar(new("select null::int", connection));
        },
        ["types"] = async (source, pen) =>
        {
            await using var connection = await pen.Open(source);
            const string sql = """
                select true as b, 1::int2 as i2, -2 as i4, 9223372036854775807 as i8, 1.5::float4 as f4, 0.1::float8 as f8, 123.4500::numeric as n, 'größe'::text as t, '\x00ff'::bytea as y,
                date '2026-11-21' as d, timestamp '2026-11-21 06:05:02.5' as ts, timestamptz '2026-11-21 06:05:02.5+00' as tz, time '06:05:02' as ti, interval '1 day 02:00' as iv,
                '00112233-4455-6677-8899-aabbccddeeff'::uuid as u, '{"a": 1}'::jsonb as j, array[1, 2] as a, null::int as x
                """;
            await pen.Rows(new(sql, connection));
            await pen.Rows(new(sql, connection));
            await pen.Rows(new("select g, g * 0.5 as half, repeat('x', g) as x, nullif(g % 2, 0) as odd from generate_series(1, 9) g", connection));
            await pen.Rows(new("select 1.5::float8 as f, 2 as i", connection));
            await pen.Rows(new("select 1.5::float8 as f, 2 as i", connection));
        },
        ["prepared"] = async (source, pen) =>
        {
            await using var connection = await pen.Open(source);
            using var command = With(new("select @a + 1 as a, @b as b, @a::text || 'x' as c", connection), ("a", 1), ("b", "text"));
            command.Prepare();
            for (var i = 0; i < 3; i++)
            {
                command.Parameters["a"].Value = i;
                await pen.Rows(command);
            }

            command.Parameters["b"].Value = DBNull.Value;
            await pen.Rows(command);
            command.Parameters["a"].Value = 5L;
            await pen.Rows(command);
        },
        ["prepared by itself"] = async (source, pen) =>
        {
            for (var i = 0; i < 5; i++)
            {
                await using var connection = await pen.Open(source);
                await pen.Scalar(new("select 7", connection));
                await pen.Rows(With(new("select @a + 1 as a, @b as b", connection), ("a", i), ("b", "text")));
                await pen.Rows(With(new("select @a + 1 as a, @b as b", connection), ("a", 4L), ("b", i % 2 == 0 ? (object)DBNull.Value : "text")));
                if (i == 3)
                    await pen.Count(new("deallocate all", connection));
            }
        },
        ["several results"] = async (source, pen) =>
        {
            await using var connection = await pen.Open(source);
            await pen.Count(new("create temporary table t (id int primary key, v text)", connection));
            await pen.Rows(
                With(
                    new(
                        "insert into t values (@a, 'one'), (2, null); select * from t where id = @a; update t set v = 'x'; select id from t order by id; "
                            + "delete from t",
                        connection),
                    ("a", 1)));
            await pen.Count(new("insert into t select g, 'v' from generate_series(1, 7) g", connection));
            await pen.Rows(new("-- nothing but a comment", connection));
        },
        ["errors"] = async (source, pen) =>
        {
            await using var connection = await pen.Open(source);
            await pen.Count(new("selec 1", connection));
            await pen.Scalar(new("select 1 / (g - 3) from generate_series(1, 5) g", connection));
            await pen.Rows(new("select 10 / (g - 3) from generate_series(1, 5) g", connection));
            await pen.Count(new("create temporary table t (id int primary key)", connection));
            await pen.Count(new("insert into t values (1); insert into t values (1); insert into t values (2)", connection));
            await pen.Scalar(new("select count(*) from t", connection));
            await pen.Count(new("copy t from stdin", connection));
            await pen.Count(new("copy (select 1) to stdout", connection));
            await pen.Scalar(new("select 7", connection));
        },
        ["transactions"] = async (source, pen) =>
        {
            await using var connection = await pen.Open(source);
            await pen.Count(new("create temporary table t (id int)", connection));
            var transaction = await pen.Begin(connection, IsolationLevel.Serializable);
            await pen.Scalar(new("show transaction_isolation", connection, transaction));
            await pen.Count(new("insert into t values (1)", connection, transaction));
            await pen.Do(transaction.Save, transaction.SaveAsync, "here");
            await pen.Count(new("insert into t values (2)", connection, transaction));
            await pen.Do(transaction.Rollback, transaction.RollbackAsync, "here");
            await pen.Commit(transaction);
            await pen.Scalar(new("select count(*) from t", connection));

            transaction = await pen.Begin(connection, IsolationLevel.Unspecified);
            await pen.Count(new("insert into no_table values (1)", connection, transaction));
            await pen.Commit(transaction);
            await pen.Dispose(transaction);

            transaction = await pen.Begin(connection, IsolationLevel.Unspecified);
            await pen.Count(new("insert into t values (3)", connection, transaction));
            await pen.Dispose(transaction);
            await pen.Scalar(new("select count(*) from t", connection));
        },
        ["pooled"] = async (source, pen) =>
        {
            await using (var connection = await pen.Open(source))
                await pen.Count(new("set application_name = 'changed'", connection));
            await using (var connection = await pen.Open(source))
            {
                using var command = new PgCommand("show application_name", connection);
                command.Prepare();
                await pen.Scalar(command);
            }

            await using (var connection = await pen.Open(source))
            {
                var notices = new List<string>();
                connection.Notice += (_, e) => notices.Add(e.Notice.MessageText);
                await pen.Count(new("do $$ begin raise notice 'one'; raise warning 'two'; end $$", connection));
                pen.Write(string.Join(", ", notices));
            }
        },
    };

    private static PgCommand With(PgCommand command, params object[] values)
    {
        foreach (var value in values)
        {
            if (value is (string name, { } named))
                command.Parameters.AddWithValue(name, named);
            else
                command.Parameters.AddWithValue(value);
        }

        return command;
    }
}

/// <summary>Runs commands in one of the two ways of waiting, and writes down their results.</summary>
internal sealed class Pen(bool asynchronously)
{
    public List<string> Lines { get; } = [];

    public void Write(string line) => Lines.Add(line);

    public async Task<PgConnection> Open(PgDataSource source) => asynchronously ? await source.OpenConnectionAsync() : source.OpenConnection();

    public Task Scalar(PgCommand command) =>
        Noting(async () => Write("scalar " + Text(asynchronously ? await command.ExecuteScalarAsync() : command.ExecuteScalar())));

    public Task Count(PgCommand command) =>
        Noting(async () => Write($"count {(asynchronously ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery())}"));

    public Task Rows(PgCommand command) => Noting(async () =>
    {
        var reader = asynchronously ? await command.ExecuteReaderAsync() : command.ExecuteReader();
        try
        {
            await Read(reader);
        }
        finally
        {
            if (asynchronously)
                await reader.DisposeAsync();
            else
                reader.Dispose();
        }
    });

    private async Task Read(PgDataReader reader)
    {
        do
        {
            Write("columns " + string.Join(", ", Enumerable.Range(0, reader.FieldCount).Select(i => $"{reader.GetName(i)} {reader.GetDataTypeName(i)}")));
            while (asynchronously ? await reader.ReadAsync() : reader.Read())
                Write("row " + string.Join(" | ", Enumerable.Range(0, reader.FieldCount).Select(i => Text(reader.GetValue(i)))));
        }
        while (asynchronously ? await reader.NextResultAsync() : reader.NextResult());
        Write($"affected {reader.RecordsAffected}");
    }

    public async Task<PgTransaction> Begin(PgConnection connection, IsolationLevel level) =>
        asynchronously ? await connection.BeginTransactionAsync(level) : connection.BeginTransaction(level);

    public async Task Do(Action<string> verb, Func<string, CancellationToken, Task> verbAsync, string name)
    {
        if (asynchronously)
            await verbAsync(name, default);
        else
            verb(name);
    }

    public Task Commit(PgTransaction transaction) => Noting(async () =>
    {
        if (asynchronously)
            await transaction.CommitAsync();
        else
            transaction.Commit();
    });

    public async Task Dispose(PgTransaction transaction)
    {
        if (asynchronously)
            await transaction.DisposeAsync();
        else
            transaction.Dispose();
    }

    private async Task Noting(Func<Task> action)
    {
        try
        {
            await action();
        }
        catch (PgException exception)
        {
            Write($"error {exception.SqlState} {exception.MessageText}");
        }
    }

    private static string Text(object? value) => value switch
    {
        null => "nothing",
        byte[] bytes => "bytes " + Convert.ToHexStringLower(bytes),
        DateTime time => $"{time:O}",
        IFormattable formattable => $"{value.GetType().Name} {formattable.ToString(null, CultureInfo.InvariantCulture)}",
        _ => $"{value.GetType().Name} {value}",
    };
}
