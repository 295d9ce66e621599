namespace Slipstream.Migrated;

public static class BatchCases
{
    private static void Add(this MySqlBatch batch, string sql, params (string Name, object? Value)[] parameters)
    {
        var command = new MySqlBatchCommand(sql);
        foreach (var (name, value) in parameters)
            command.Parameters.AddWithValue(name, value);
        batch.BatchCommands.Add(command);
    }

    public static void Results_in_their_order(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE b (id INT PRIMARY KEY AUTO_INCREMENT, s VARCHAR(20))");
        using var batch = new MySqlBatch(c);
        batch.Add("INSERT INTO b (s) VALUES (@s)", ("@s", "one"));
        batch.Add("SELECT @x + 1, @y", ("@x", 41), ("@y", "text"));
        batch.Add("INSERT INTO b (s) VALUES (@s), ('three')", ("@s", "two"));
        batch.Add("SELECT * FROM b ORDER BY id");
        using var reader = batch.ExecuteReader();
        do
        {
            t.Say("result", Trial.Rows(reader));
        }
        while (reader.NextResult());
        t.Say("affected", reader.RecordsAffected);
    }

    public static void Counted_and_first_value(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE b (i INT)");
        using var batch = new MySqlBatch(c);
        for (var i = 0; i < 5; i++)
            batch.Add("INSERT INTO b VALUES (@i)", ("@i", i));
        batch.Add("UPDATE b SET i = i + 10 WHERE i > @least", ("@least", 2));
        t.Say("count", batch.ExecuteNonQuery());
        t.Say("rows", c.All("SELECT i FROM b ORDER BY i"));
        using var asking = new MySqlBatch(c);
        asking.Add("SELECT MAX(i) FROM b");
        asking.Add("SELECT MIN(i) FROM b");
        t.Say("scalar", asking.ExecuteScalar());
    }

    public static void One_that_fails(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE b (i INT PRIMARY KEY)");
        using var batch = new MySqlBatch(c);
        batch.Add("INSERT INTO b VALUES (1)");
        batch.Add("INSERT INTO b VALUES (1)");
        batch.Add("INSERT INTO b VALUES (2)");
        t.Try("executed", () => batch.ExecuteNonQuery());
        t.Say("rows", c.All("SELECT i FROM b ORDER BY i"));
    }

    public static async Task In_a_transaction(Trial t)
    {
        await using var c = t.Open();
        c.Do("CREATE TABLE b (i INT PRIMARY KEY)");
        await using (var transaction = await c.BeginTransactionAsync())
        {
            await using var batch = new MySqlBatch(c, transaction) { Timeout = 10 };
            batch.Add("INSERT INTO b VALUES (@i)", ("@i", 1));
            batch.Add("INSERT INTO b VALUES (@i)", ("@i", 2));
            t.Say("count", await batch.ExecuteNonQueryAsync());
            await transaction.RollbackAsync();
        }

        t.Say("rolled back", c.All("SELECT * FROM b"));
        await using (var transaction = await c.BeginTransactionAsync())
        {
            await using var batch = new MySqlBatch { Connection = c, Transaction = transaction };
            batch.Add("INSERT INTO b VALUES (@i)", ("@i", 1));
            batch.Add("SELECT COUNT(*) FROM b");
            t.Say("scalar", await batch.ExecuteScalarAsync());
            await transaction.CommitAsync();
        }

        t.Say("committed", c.All("SELECT * FROM b"));
    }

    public static void Children_of_new_parents(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE parent (id INT PRIMARY KEY AUTO_INCREMENT, s VARCHAR(9))");
        c.Do("CREATE TABLE child (dad INT)");
        using (var transaction = c.BeginTransaction())
        {
            using var batch = new MySqlBatch(c, transaction);
            batch.Add("INSERT INTO parent (s) VALUES (@s)", ("@s", "first"));
            batch.Add("INSERT INTO parent (s) VALUES (@s)", ("@s", "second"));
            batch.Add("INSERT INTO child VALUES (LAST_INSERT_ID())");
            batch.ExecuteNonQuery();
            transaction.Commit();
        }

        t.Say("child of", c.Scalar("SELECT s FROM child JOIN parent ON dad = id"));
    }

    public static void Misuse(Trial t)
    {
        using var c = t.Open();
        using var empty = new MySqlBatch(c);
        t.Try("empty", () => empty.ExecuteNonQuery());
        using var alone = new MySqlBatch();
        alone.Add("SELECT 1");
        t.Try("no connection", () => alone.ExecuteScalar());
        using var closed = new MySqlBatch(new MySqlConnection(t.ConnectionString));
        closed.Add("SELECT 1");
        t.Try("closed", () => closed.ExecuteScalar());
        using var blank = new MySqlBatch(c);
        blank.Add("");
        t.Try("no text", () => blank.ExecuteScalar());
        using var prepared = new MySqlBatch(c);
        prepared.Add("SELECT @a", ("@a", 5));
        prepared.Prepare();
        t.Try("prepared", () => prepared.ExecuteScalar());
    }

    public static void Several_statements_in_one_text(Trial t)
    {
        using var c = t.Open();
        using var command = new MySqlCommand(
            "CREATE TABLE m (i INT); INSERT INTO m VALUES (@a), (@b); SELECT i FROM m ORDER BY i; UPDATE m SET i = 0; SELECT COUNT(*), @a FROM m;", c);
        command.Parameters.AddWithValue("@a", 1);
        command.Parameters.AddWithValue("@b", 2);
        using (var reader = command.ExecuteReader())
        {
            t.Say("first", Trial.Rows(reader));
            t.Say("more", reader.NextResult());
            t.Say("second", Trial.Rows(reader));
            t.Say("end", reader.NextResult());
            t.Say("affected", reader.RecordsAffected);
        }

        t.Say("count", c.Do("INSERT INTO m VALUES (5); INSERT INTO m VALUES (6), (7)"));
        t.Say("scalar of the second", c.Scalar("INSERT INTO m VALUES (8); SELECT MAX(i) FROM m"));
        t.Try("an error in the second", () => c.Do("INSERT INTO m VALUES (9); SELEC 1; INSERT INTO m VALUES (10)"));
        t.Say("rows", c.All("SELECT i FROM m ORDER BY i"));
    }
}
