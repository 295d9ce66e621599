using Pgvector;
using Slipstream.Lab;
using Slipstream.PostgreSql;

namespace Slipstream.Plugins;

/// <summary>Vectors on pgvector. Only PostgreSQL 18 of the lab has it: see tools/Lab.</summary>
public class PgvectorTests
{
    [Fact]
    public async Task Vectors_are_read_sent_and_copied()
    {
        await using var database = await PluginDatabase.CreateAsync(ServerKind.PostgreSql18, "vector");
        await using var source = database.Source(static builder => builder.UseVector());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);

        PluginDatabase.Check(connection, "vector", "'[1,2.5,-3]'", new Vector(new[] { 1f, 2.5f, -3f }));
        PluginDatabase.Check(connection, "vector", "'[1e-45,3.4028235e38]'", new Vector(new[] { float.Epsilon, float.MaxValue }));
        PluginDatabase.Check(connection, "vector", "array_fill(0.1, array[16000])::vector", new Vector(Enumerable.Repeat(0.1f, 16000).ToArray()));
        PluginDatabase.Other(connection, "vector", "'[1,2.5]'", new[] { 1f, 2.5f });
        PluginDatabase.Sends(connection, "vector", "'[1,2.5]'", (ReadOnlyMemory<float>)new[] { 1f, 2.5f });
        PluginDatabase.Check(connection, "halfvec", "'[1,2.5,65504]'", new HalfVector(new[] { (Half)1, (Half)2.5, Half.MaxValue }));
        PluginDatabase.Other(connection, "halfvec", "'[6e-8,-3]'", new[] { Half.Epsilon, (Half)(-3) });
        PluginDatabase.Check(connection, "sparsevec", "'{1:1.5,3:-2}/5'", new SparseVector(5, new[] { 0, 2 }, new[] { 1.5f, -2f }));
        PluginDatabase.Check(connection, "sparsevec", "'{1000000000:1}/1000000000'", new SparseVector(1_000_000_000, new[] { 999_999_999 }, new[] { 1f }));
        PluginDatabase.Check(connection, "vector[]", "array['[1]','[2]']::vector[]", new[] { new Vector(new[] { 1f }), new Vector(new[] { 2f }) });
        PluginDatabase.Other(connection, "vector[]", "array['[1]',null]::vector[]", new[] { new Vector(new[] { 1f }), null });
    }

    [Fact]
    public async Task The_nearest_neighbours_are_found()
    {
        await using var database = await PluginDatabase.CreateAsync(ServerKind.PostgreSql18, "vector");
        await using var source = database.Source(static builder => builder.UseVector());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        PluginDatabase.Execute(connection, "CREATE TABLE item (id int, embedding vector(3))");
        await using (var insert = new PgCommand("INSERT INTO item VALUES ($1, $2)", connection))
        {
            insert.Parameters.Add(new PgParameter<int>());
            insert.Parameters.Add(new PgParameter<Vector>());
            for (var id = 1; id <= 3; id++)
            {
                insert.Parameters[0].Value = id;
                insert.Parameters[1].Value = new Vector(new float[] { id, id, id });
                await insert.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
            }
        }

        await using var nearest = new PgCommand("SELECT id FROM item ORDER BY embedding <-> $1 LIMIT 1", connection)
        {
            Parameters = { new PgParameter { Value = new Vector(new[] { 2.1f, 2f, 2f }) } },
        };
        Assert.Equal(2, await nearest.ExecuteScalarAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task The_types_are_known_after_the_extension_was_created_and_the_types_reloaded()
    {
        await using var database = await PluginDatabase.CreateAsync(ServerKind.PostgreSql18);
        await using var source = database.Source(static builder => builder.UseVector());
        await using var connection = await source.OpenConnectionAsync(TestContext.Current.CancellationToken);
        await using var command = new PgCommand("SELECT $1", connection) { Parameters = { new PgParameter { Value = new Vector(new[] { 1f }) } } };
        Assert.Contains("ReloadTypes", Assert.Throws<InvalidCastException>(() => command.ExecuteScalar()).Message, StringComparison.Ordinal);
        PluginDatabase.Execute(connection, "CREATE EXTENSION vector SCHEMA ext");
        await connection.ReloadTypesAsync(TestContext.Current.CancellationToken);
        Assert.Equal(new Vector(new[] { 1f }), command.ExecuteScalar());
    }
}
