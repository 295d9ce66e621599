using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>What a scenario needs to drive one ADO.NET provider on one server.</summary>
internal sealed record Assignment(DbProviderFactory Factory, string ConnectionString, Dialect Dialect, ITypedScalar? TypedScalar)
{
    public DbConnection NewConnection()
    {
        var connection = Factory.CreateConnection()!;
        connection.ConnectionString = ConnectionString;
        return connection;
    }
}

/// <summary>A provider's scalar that is not an object; the abstract ADO.NET types have none.</summary>
internal interface ITypedScalar
{
    long Execute(DbCommand command);

    ValueTask<long> ExecuteAsync(DbCommand command);
}
