using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>The objects that a scenario needs to use one ADO.NET provider on one server.</summary>
internal sealed record Assignment(DbProviderFactory Factory, string ConnectionString, Dialect Dialect, ITypedScalar? TypedScalar)
{
    public DbConnection NewConnection()
    {
        var connection = Factory.CreateConnection()!;
        connection.ConnectionString = ConnectionString;
        return connection;
    }
}

/// <summary>A provider's scalar method that returns a type other than object; ADO.NET's abstract types have none.</summary>
internal interface ITypedScalar
{
    long Execute(DbCommand command);

    ValueTask<long> ExecuteAsync(DbCommand command);
}
