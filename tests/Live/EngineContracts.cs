using Slipstream.Contract;
using Slipstream.Lab;

namespace Slipstream.Live;

/// <summary>The contract once more: the other contracts wait as `Auto` decides, which is the own engine where there is one.</summary>
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
    protected override Task<ContractServer> StartAsync() => LiveContracts.PostgreSqlAsync(OwnEngine.Not);
}
