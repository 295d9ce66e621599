using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>The commands of a <see cref="MySqlBatch"/>, in the order of execution.</summary>
public sealed class MySqlBatchCommandCollection : ProviderBatchCommandCollection<MySqlBatchCommand>
{
    internal MySqlBatchCommandCollection()
    {
    }
}
