using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;

namespace Slipstream.Live;

/// <summary>The contract once more, with data sources whose commands share sessions from the first caller on.</summary>
public class MySqlSharedContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => SharedContract.StartAsync(ServerKind.MySql);
}

/// <inheritdoc cref="MySqlSharedContract"/>
public class MariaDbSharedContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => SharedContract.StartAsync(ServerKind.MariaDb);
}

internal static class SharedContract
{
    public static async Task<ContractServer> StartAsync(ServerKind kind) => (await LiveContracts.MySqlAsync(kind, "Multiplexing=Auto;")) with { Source = Create };

    private static MySqlDataSource Create(string connectionString)
    {
        var source = new MySqlDataSource(connectionString);
        if (source.Sharing is { } sharing)
            sharing.FewestCallers = 1;
        return source;
    }
}
