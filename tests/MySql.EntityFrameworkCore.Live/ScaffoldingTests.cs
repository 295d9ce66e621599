using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Slipstream.Lab;
using Slipstream.MySql.EntityFrameworkCore.Scaffolding;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>What is read of a database is what was made of a model.</summary>
public sealed class ScaffoldingTests
{
    private const string Sql =
        """
        CREATE TABLE parent (
            id INT NOT NULL AUTO_INCREMENT, code VARCHAR(20) NOT NULL DEFAULT 'it''s', flag TINYINT(1) NOT NULL DEFAULT 1, big BIGINT UNSIGNED NULL,
            at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), touched TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
            doc JSON NULL, guid CHAR(36) CHARACTER SET ascii COLLATE ascii_general_ci NULL, bin VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
            twice BIGINT UNSIGNED AS (big * 2) VIRTUAL, kind ENUM('a','b') NULL COMMENT 'a kind', expr VARCHAR(40) NULL DEFAULT (CONCAT('a', 'b')),
            PRIMARY KEY (id, code), UNIQUE KEY by_id (id), KEY by_code (code(5)), FULLTEXT KEY by_text (code)
        ) COMMENT 'the parent';
        CREATE TABLE child (
            id INT NOT NULL PRIMARY KEY, parent_id INT NOT NULL, other INT NULL,
            CONSTRAINT fk_parent FOREIGN KEY (parent_id) REFERENCES parent (id) ON DELETE CASCADE,
            CONSTRAINT fk_self FOREIGN KEY (other) REFERENCES child (id)
        );
        CREATE VIEW both_of_them AS SELECT p.code, c.id FROM parent p JOIN child c ON c.parent_id = p.id;
        """;

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_database_is_read(ServerKind kind)
    {
        var text = await Servers.ConnectionString(kind, "scaffolding");
        var builder = Servers.Options().UseMySql(text);
        await using var context = new DbContext(builder.Options);
        await context.Database.EnsureDeletedAsync(TestContext.Current.CancellationToken);
        await context.Database.EnsureCreatedAsync(TestContext.Current.CancellationToken);
        try
        {
            await context.Database.ExecuteSqlRawAsync(Sql, TestContext.Current.CancellationToken);
            var model = new MySqlDatabaseModelFactory().Create(text, new DatabaseModelFactoryOptions());
            Assert.Equal(["both_of_them", "child", "parent"], model.Tables.Select(static t => t.Name).Order(StringComparer.Ordinal));
            var parent = model.Tables.Single(static t => t.Name == "parent");
            Assert.Equal("the parent", parent.Comment);
            Assert.Equal(
                [
                    "id int  OnAdd", "code varchar(20) 'it''s' ", "flag tinyint(1) 1 ", "big bigint unsigned null  ", "at datetime(6) current_timestamp(6) ",
                    "touched timestamp(6)  OnAddOrUpdate", "doc json null  ", "guid char(36) null  ", "bin varchar(10) null  ", "twice bigint unsigned null  ",
                    "kind enum('a','b') null  ",
                ],
                parent.Columns.Where(static c => c.Name != "expr").Select(static c =>
                    $"{c.Name} {c.StoreType} {(c.IsNullable ? "null " : "")}{c.DefaultValueSql?.ToLowerInvariant()} {c.ValueGenerated}"));
            Assert.Equal((true, false), (parent.Columns.Single(static c => c.Name == "twice") is { ComputedColumnSql: { } sql, IsStored: var stored }
                ? (sql.Contains("`big` * 2", StringComparison.Ordinal), stored == true)
                : default));
            Assert.Equal("utf8mb4_bin", parent.Columns.Single(static c => c.Name == "bin").Collation);
            Assert.Equal("a kind", parent.Columns.Single(static c => c.Name == "kind").Comment);
            Assert.Null(parent.Columns.Single(static c => c.Name == "guid").Collation);
            Assert.Contains("concat(", parent.Columns.Single(static c => c.Name == "expr").DefaultValueSql, StringComparison.Ordinal);
            Assert.Equal(["id", "code"], parent.PrimaryKey!.Columns.Select(static c => c.Name));
            Assert.Equal(
                ["by_code ", "by_id unique", "by_text fulltext"],
                parent.Indexes.OrderBy(static i => i.Name, StringComparer.Ordinal).Select(static i =>
                    $"{i.Name} {(i.IsUnique ? "unique" : "")}{(i["MySql:FullTextIndex"] is true ? "fulltext" : "")}"));
            Assert.Equal([5], Assert.IsType<int[]>(parent.Indexes.Single(static i => i.Name == "by_code")["MySql:IndexPrefixLength"]));
            var child = model.Tables.Single(static t => t.Name == "child");
            Assert.Equal(
                ["fk_parent parent_id -> parent.id Cascade", "fk_self other -> child.id"],
                child.ForeignKeys.OrderBy(static k => k.Name, StringComparer.Ordinal).Select(static k =>
                    $"{k.Name} {k.Columns[0].Name} -> {k.PrincipalTable.Name}.{k.PrincipalColumns[0].Name}"
                        + (k.OnDelete == ReferentialAction.Cascade ? " Cascade" : "")));
            Assert.Equal(["child"], new MySqlDatabaseModelFactory().Create(text, new DatabaseModelFactoryOptions(["child"])).Tables.Select(static t => t.Name));
        }
        finally
        {
            await context.Database.EnsureDeletedAsync(TestContext.Current.CancellationToken);
        }
    }

    // What is read is valid SQL: the second table is made of it.
    [Theory, MemberData(nameof(Kinds))]
    public Task Expressions_and_defaults_are_read_as_they_were_written(ServerKind kind) => Servers.WithDatabaseAsync(
        kind, static options => new DbContext(options),
        async open =>
        {
            await using var context = open();
            await context.Database.ExecuteSqlRawAsync(
                """
                CREATE TABLE first (
                    id INT PRIMARY KEY, name VARCHAR(30) NULL DEFAULT (CONCAT('it''s a ', 'b\\c "d"')),
                    quoted VARCHAR(90) AS (CONCAT(name, ' isn''t \\ "it"')) VIRTUAL,
                    bytes VARBINARY(8) NOT NULL DEFAULT 0x61620163, fixed BINARY(2) DEFAULT 0x6162, plain VARCHAR(30) DEFAULT 'it''s \\ 0x61'
                )
                """,
                TestContext.Current.CancellationToken);
            var text = context.Database.GetConnectionString()!;
            var table = new MySqlDatabaseModelFactory().Create(text, new DatabaseModelFactoryOptions(["first"])).Tables.Single();
            var columns = table.Columns.Select(static c => $"{c.Name} {c.StoreType}" + (c.ComputedColumnSql is { } sql ? $" AS ({sql}) VIRTUAL"
                : c.DefaultValueSql is { } value ? $" DEFAULT {value}" : ""));
            await using var connection = new MySqlConnection(text);
            await connection.OpenAsync(TestContext.Current.CancellationToken);
            await using var command = connection.CreateCommand();
            command.CommandText = $"CREATE TABLE second ({string.Join(", ", columns)}); INSERT INTO first (id) VALUES (1); INSERT INTO second (id) VALUES (1)";
            await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
            command.CommandText =
                """
                SELECT name, quoted, HEX(bytes), HEX(fixed), plain FROM first UNION ALL SELECT name, quoted, HEX(bytes), HEX(fixed), plain FROM second
                """;
            await using var reader = await command.ExecuteReaderAsync(TestContext.Current.CancellationToken);
            var rows = new List<string>();
            while (await reader.ReadAsync(TestContext.Current.CancellationToken))
                rows.Add(string.Join('|', Enumerable.Range(0, reader.FieldCount).Select(i => reader.GetString(i))));
            Assert.Equal(rows[0], rows[1]);
            Assert.Equal(
                """
                it's a b\c "d"|it's a b\c "d" isn't \ "it"|61620163|6162|it's \ 0x61
                """,
                rows[0]);
        });
}
