using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

// GetSchema: "Common Schema Collections" and "Schema Restrictions" of ADO.NET's documentation.
public abstract partial class ProviderContract
{
    [Fact]
    public async Task Every_listed_collection_answers_with_its_own_name()
    {
        await using var connection = await Open();
        var listed = await Mode.Schema(connection);
        Assert.Equal(DbMetaDataCollectionNames.MetaDataCollections, listed.TableName);
        var names = listed.Rows.Cast<DataRow>().Select(static row => (string)row["CollectionName"]).ToArray();
        Assert.Equal(names.Length, names.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        string[] common =
        [
            DbMetaDataCollectionNames.MetaDataCollections, DbMetaDataCollectionNames.DataSourceInformation, DbMetaDataCollectionNames.DataTypes,
            DbMetaDataCollectionNames.Restrictions, DbMetaDataCollectionNames.ReservedWords, "Databases", "Tables", "Columns", "Views", "Users", "Indexes",
            "IndexColumns",
        ];
        Assert.Empty(common.Except(names));
        foreach (var name in names)
        {
            using var table = await Undisturbed.Look(() => Mode.Schema(connection, name), Server.ComesFromOthers);
            Assert.Equal(name, table.TableName);
            Assert.NotEmpty(table.Columns);
            Assert.All(table.Rows.Cast<DataRow>(), static row => Assert.Equal(DataRowState.Unchanged, row.RowState));
        }

        await StillUsable(connection);
    }

    [Fact]
    public async Task The_restrictions_that_are_listed_are_those_that_are_taken()
    {
        await using var connection = await Open();
        using var listed = await Mode.Schema(connection, "metadatacollections");
        using var restrictions = await Mode.Schema(connection, DbMetaDataCollectionNames.Restrictions);
        foreach (DataRow row in listed.Rows)
        {
            var name = (string)row["CollectionName"];
            var most = (int)row["NumberOfRestrictions"];
            var numbers =
                restrictions.Rows.Cast<DataRow>().Where(one => (string)one["CollectionName"] == name).Select(static one => (int)one["RestrictionNumber"]);
            Assert.Equal(Enumerable.Range(1, most), numbers);
            await Assert.ThrowsAsync<ArgumentException>(() => Mode.Schema(connection, name, new string?[most + 1]));
            if (most == 0)
                continue;
            // Each restriction is compared as a value: a quote in it has no effect on the SQL.
            for (var i = 0; i < most; i++)
            {
                var values = new string?[most];
                values[i] = "' OR '1' = '1";
                using var none = await Mode.Schema(connection, name, values);
                Assert.Empty(none.Rows);
            }
        }
    }

    [Fact]
    public async Task A_table_and_its_columns_are_found_by_restrictions()
    {
        await using var connection = await Open();
        await using var table = await CreateTable("id int NOT NULL PRIMARY KEY, word varchar(20)");
        using var tables = await Mode.Schema(connection, "tables", [null, null, table.ToString()]);
        Assert.Equal("BASE TABLE", Assert.Single(tables.Rows.Cast<DataRow>())["TABLE_TYPE"]);
        using var columns = await Mode.Schema(connection, "Columns", [null, "", table.ToString()]);
        Assert.Equal(
            ["id", "word"],
            columns.Rows.Cast<DataRow>().OrderBy(static row => Convert.ToInt32(row["ORDINAL_POSITION"])).Select(static row => row["COLUMN_NAME"]));
        using var one = await Mode.Schema(connection, "Columns", [null, null, table.ToString(), "word"]);
        Assert.Equal(20L, Convert.ToInt64(Assert.Single(one.Rows.Cast<DataRow>())["CHARACTER_MAXIMUM_LENGTH"]));
        using var index = await Mode.Schema(connection, "IndexColumns", [null, null, table.ToString()]);
        Assert.Equal("id", Assert.Single(index.Rows.Cast<DataRow>())["COLUMN_NAME"]);
    }

    [Fact]
    public async Task A_schema_is_asked_for_within_the_transaction()
    {
        await using var connection = await Open();
        await using var transaction = await Mode.Begin(connection);
        using var databases = await Mode.Schema(connection, "Databases", [Server.Database]);
        Assert.Single(databases.Rows);
        await Mode.Rollback(transaction);
    }

    [Fact]
    public async Task Every_type_of_the_provider_names_a_type_that_there_is()
    {
        await using var connection = await Open();
        using var types = await Mode.Schema(connection, DbMetaDataCollectionNames.DataTypes);
        foreach (DataRow row in types.Rows)
        {
            var name = (string)row["DataType"];
            Assert.Contains(AppDomain.CurrentDomain.GetAssemblies(), assembly => assembly.GetType(name) is not null);
            var parameters = row["CreateParameters"] is string text ? text.Split(',').Length : 0;
            Assert.Equal(parameters, ((string)row["CreateFormat"]).Count(static one => one == '{'));
        }
    }

    [Fact]
    public async Task What_needs_no_server_needs_no_open_connection()
    {
        await using var connection = Create();
        foreach (var name in new[] { "MetaDataCollections", "Restrictions", "DataTypes", "ReservedWords" })
        {
            using var table = await Mode.Schema(connection, name);
            Assert.NotEmpty(table.Rows);
        }

        Assert.Equal(ConnectionState.Closed, connection.State);
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Schema(connection, "Tables"));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Schema(connection, "DataSourceInformation"));
    }

    [Fact]
    public async Task The_source_says_its_version()
    {
        await using var connection = await Open();
        using var about = await Mode.Schema(connection, DbMetaDataCollectionNames.DataSourceInformation);
        var row = Assert.Single(about.Rows.Cast<DataRow>());
        Assert.Equal(connection.ServerVersion, row[DbMetaDataColumnNames.DataSourceProductVersion]);
        Assert.Matches(@"^\d\d\.\d\d\.\d{4}$", (string)row[DbMetaDataColumnNames.DataSourceProductVersionNormalized]);
        foreach (var pattern in about.Columns.Cast<DataColumn>().Where(static column => column.ColumnName.EndsWith("Pattern", StringComparison.Ordinal)))
            _ = new System.Text.RegularExpressions.Regex((string)row[pattern]);
    }

    [Fact]
    public async Task A_collection_that_does_not_exist_is_refused()
    {
        await using var connection = await Open();
        var refused = await Assert.ThrowsAsync<ArgumentException>(() => Mode.Schema(connection, "Nothing"));
        Assert.Contains("MetaDataCollections", refused.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ArgumentNullException>(() => Mode.Schema(connection, null!));
        if (Mode.IsAsync)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.GetSchemaAsync("Tables", new CancellationToken(canceled: true)));
    }
}
