using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Compat;

/// <summary>LOAD DATA LOCAL INFILE in a command's text: only to a verified server, and only the file that the text names.</summary>
public class LocalLoadTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_verified_server_gets_the_file_that_the_text_names(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "load");
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection($"{database.ConnectionString};SSL Mode=VerifyCA;SSL CA={server.CaFile}");
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = new MySqlCommand("CREATE TABLE loaded (id INT, s VARCHAR(10))", connection);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        var file = Path.Combine(Path.GetTempPath(), $"it's {Guid.NewGuid():N}.csv");
        await File.WriteAllTextAsync(file, "1;one\n2;two\n", TestContext.Current.CancellationToken);
        try
        {
            const string Rest = "INTO TABLE loaded FIELDS TERMINATED BY ';'";
            command.CommandText = $"load data low_priority local infile '{file.Replace("'", "''", StringComparison.Ordinal)}' {Rest};";
            Assert.Equal(2, command.ExecuteNonQuery());
            command.CommandText = $"LOAD DATA LOCAL INFILE '{file.Replace("'", "\\'", StringComparison.Ordinal)}' {Rest}";
            Assert.Equal(2, await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken));
            command.CommandText = $"LOAD DATA LOCAL INFILE @file {Rest}";
            command.Parameters.AddWithValue("@file", file);
            Assert.Equal(2, command.ExecuteNonQuery());
            command.Parameters.Clear();
            // What follows would be executed unseen.
            command.CommandText = $"LOAD DATA LOCAL INFILE '{file.Replace("'", "''", StringComparison.Ordinal)}' {Rest}; DELETE FROM loaded";
            Assert.Throws<MySqlException>(() => command.ExecuteNonQuery());
        }
        finally
        {
            File.Delete(file);
        }

        await connection.CloseAsync();
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        command.CommandText = "LOAD DATA LOCAL INFILE '/does/not/exist' INTO TABLE loaded";
        Assert.IsType<IOException>(Assert.Throws<MySqlException>(() => command.ExecuteNonQuery()).InnerException, exactMatch: false);
        command.CommandText = "SELECT COUNT(*) FROM loaded";
        Assert.Equal(6L, await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_server_that_was_not_verified_gets_none(ServerKind kind)
    {
        await using var database = await Servers.EmptyAsync(kind, "unverified");
        await using var connection = new MySqlConnection(database.ConnectionString);
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var command = new MySqlCommand("CREATE TABLE loaded (id INT)", connection);
        await command.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        var file = Path.GetTempFileName();
        await File.WriteAllTextAsync(file, "1\n", TestContext.Current.CancellationToken);
        try
        {
            command.CommandText = $"LOAD DATA LOCAL INFILE '{file}' INTO TABLE loaded";
            Assert.Throws<MySqlException>(() => command.ExecuteNonQuery());
        }
        finally
        {
            File.Delete(file);
        }

        command.CommandText = "SELECT COUNT(*) FROM loaded";
        Assert.Equal(0L, await command.ExecuteScalarAsync(TestContext.Current.CancellationToken));
    }
}
