using Slipstream.Contract;
using Slipstream.Lab;

namespace Slipstream.Live;

/// <summary>The contract with the driver's own engine; the other contracts wait as `Auto` decides, which selects this engine where it is available.</summary>
internal static class OwnEngine
{
    public const string Option = "Async Engine=Own;";

    public const string Not = "Async Engine=Runtime;";
}

public class MySqlRuntimeSocketsContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MySql, OwnEngine.Not);
}

public class MySqlOwnEngineTlsContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MySql, OwnEngine.Option + "SSL Mode=Required;");
}

public class MariaDbOwnEngineInPoolContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MariaDb, OwnEngine.Option + "Async Continuations=ThreadPool;");
}

public class PostgreSqlRuntimeSocketsContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.PostgreSqlAsync(ServerKind.PostgreSql, OwnEngine.Not);
}
