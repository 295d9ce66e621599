using Slipstream.MySql.Codecs;

namespace Slipstream.MySql.Statements;

/// <summary>One statement as one session has prepared it.</summary>
internal sealed class PreparedStatement(uint id, int parameters, ResultMetadata? metadata)
{
    /// <summary>The server's number, valid in this session only.</summary>
    public uint Id => id;

    /// <summary>How many values an execution carries.</summary>
    public int Parameters => parameters;

    /// <summary>The columns of its result as the server described them last; null when it returns none.</summary>
    public ResultMetadata? Metadata { get; set; } = metadata;
}
