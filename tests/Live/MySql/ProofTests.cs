using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>MariaDB since 11.4 proves its certificate by the password: no authority has to be configured.</summary>
public class ProofTests
{
    [Theory]
    [InlineData("lab_native", "VerifyFull", false)]
    [InlineData("lab_native", "VerifyCA", true)]
    [InlineData("lab_ed25519", "VerifyFull", true)]
    [InlineData("lab_parsec", "VerifyFull", true)]
    [InlineData("lab_parsec", "VerifyFull", false)]
    public async Task The_newer_MariaDB_proves_its_certificate(string name, string mode, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(ServerKind.MariaDb11);
        var user = server.RequireUser(name);
        await using var connection =
            new MySqlConnection($"Server=localhost;Port={server.Port};User ID={user.Name};Password={user.Password};SSL Mode={mode};Pooling=false");
        if (asynchronous)
            await connection.OpenAsync();
        else
            connection.Open();
        Assert.StartsWith(name + "@", (string?)await new MySqlCommand("SELECT CURRENT_USER()", connection).ExecuteScalarAsync());
    }

    [Theory, InlineData("lab_native", false), InlineData("lab_ed25519", true), InlineData("lab_parsec", true)]
    public async Task A_wrong_password_proves_nothing_and_is_told_with_both_causes(string name, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(ServerKind.MariaDb11);
        await using var connection =
            new MySqlConnection($"Server=localhost;Port={server.Port};User ID={name};Password=guess;SSL Mode=VerifyFull;Pooling=false");
        var failure = await Assert.ThrowsAsync<MySqlException>(async () =>
        {
            if (asynchronous)
                await connection.OpenAsync();
            else
                connection.Open();
        });
        Assert.Equal(MySqlErrorCode.UnableToConnectToHost, failure.ErrorCode);
        Assert.Contains("error 1045", failure.Message);
        Assert.Contains("SSL CA", failure.Message);
    }
}
