using Slipstream.MySql;
using Slipstream.Samples.Aurora;

// Shows the instances of an Aurora MySQL cluster, and each change.
// dotnet run --project samples/Aurora -- mycluster.cluster-abc123.eu-central-1.rds.amazonaws.com '?.abc123.eu-central-1.rds.amazonaws.com' USER PASSWORD
if (args is not [var endpoint, var pattern, var user, var password])
{
    Console.Error.WriteLine("Usage: CLUSTER-ENDPOINT HOST-PATTERN USER PASSWORD");
    return 1;
}

var login = new MySqlConnectionStringBuilder { UserID = user, Password = password, SslMode = MySqlSslMode.VerifyFull };
await using var cluster = new MySqlDataSource(new MySqlConnectionStringBuilder(login.ConnectionString) { Server = endpoint }.ConnectionString);

// No server is listed: the cluster's endpoint is another name of the writer, and would be a server of its own.
var builder = new MySqlDataSourceBuilder(login.ConnectionString) { ConnectionStringBuilder = { Topology = MySqlTopology.Replication } };
builder.UseTopologySource(new AuroraTopologySource(cluster, pattern, AuroraTopologySource.MySql));
await using var source = builder.Build();
source.TopologyChanged += static (_, change) => Console.WriteLine(change.Current);

await using (var connection = await source.Primary.OpenConnectionAsync())
    Console.WriteLine($"The writer is {source.Topology.Primary?.Host}.");
Console.ReadLine();
return 0;
