using Slipstream.Contract;
using Slipstream.Lab;

namespace Slipstream.Live;

/// <summary>The contract once more, with asynchronous waits completed by the driver's own engine.</summary>
internal static class OwnEngine
{
    public const string Option = "Async Engine=Own;";
}

public class MySqlOwnEngineContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MySql, OwnEngine.Option);
}

public class MySqlOwnEngineSyncContract() : ProviderContract(Mode.Sync)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MySql, OwnEngine.Option);
}

public class MySqlOwnEngineTlsContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MySql, OwnEngine.Option + "SSL Mode=Required;");
}

public class MariaDbOwnEngineInPoolContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.MySqlAsync(ServerKind.MariaDb, OwnEngine.Option + "Async Continuations=ThreadPool;");
}

public class PostgreSqlOwnEngineContract() : ProviderContract(Mode.Async)
{
    protected override Task<ContractServer> StartAsync() => LiveContracts.PostgreSqlAsync(OwnEngine.Option);
}
