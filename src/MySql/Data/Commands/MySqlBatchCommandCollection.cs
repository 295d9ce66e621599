using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>The commands of a <see cref="MySqlBatch"/>, in the order in which they are executed.</summary>
public sealed class MySqlBatchCommandCollection : ProviderBatchCommandCollection<MySqlBatchCommand>
{
    internal MySqlBatchCommandCollection()
    {
    }
}
