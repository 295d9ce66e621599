using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Statements;

/// <summary>One statement as one session has prepared it.</summary>
internal sealed class PreparedStatement(uint id, int parameters, ResultMetadata? metadata, ScannedSql scanned)
{
    private ushort[]? _types;
    private ushort[]? _sent;
    private bool _isSent;

    /// <summary>The server's number, valid in this session only.</summary>
    public uint Id { get; set; } = id;

    /// <summary>How many values the server expects of an execution.</summary>
    public int Parameters => parameters;

    /// <summary>The columns of its result as the server described them last; null when it returns none.</summary>
    public ResultMetadata? Metadata { get; set; } = metadata;

    /// <summary>False when the same text was prepared with another choice of what is a parameter and what a user variable.</summary>
    public bool IsFor(ScannedSql other) => ReferenceEquals(other, scanned) || other.Prepared.AsSpan().SequenceEqual(scanned.Prepared);

    /// <summary>
    /// Whether parameters of these types can be executed. MySQL settles the type of a parameter at the first execution and converts what comes
    /// later: after an execution of <c>JSON_OBJECT('k', ?)</c> with 5, one with 'abc' gives 0. ("PREPARE Statement", dev.mysql.com: derived parameter types.)
    /// </summary>
    public bool Takes(ushort type, int parameter) =>
        _types is null || type == (ushort)ColumnType.Null || _types[parameter] == (ushort)ColumnType.Null || Family(type) == Family(_types[parameter]);

    /// <summary>Remembers what the server has seen; NULL has no type.</summary>
    public void Remember(ushort type, int parameter)
    {
        _types ??= NoTypes(parameters);
        if (_types[parameter] == (ushort)ColumnType.Null)
            _types[parameter] = type;
    }

    /// <summary>
    /// Whether the server has the types of the last execution still, and this value is of the one it had there. NULL has a type of its own: what an expression
    /// makes of it is of another type than with a number.
    /// </summary>
    public bool WasSent(ushort type, int parameter) => _isSent && _sent![parameter] == type;

    /// <summary>The execution about to leave tells the server the type.</summary>
    public void Send(ushort type, int parameter)
    {
        _sent ??= new ushort[parameters];
        _sent[parameter] = type;
        _isSent = false;
    }

    /// <summary>The execution that tells all types is written.</summary>
    public void Sent() => _isSent = true;

    /// <summary>The next execution must tell the types again.</summary>
    public void ForgetSent() => _isSent = false;

    private static ushort[] NoTypes(int count)
    {
        var types = new ushort[count];
        Array.Fill(types, (ushort)ColumnType.Null);
        return types;
    }

    // Signed integers of all widths are settled as BIGINT, both floats as DOUBLE.
    private static ushort Family(ushort type) => (ColumnType)type switch
    {
        _ when type > byte.MaxValue => type,
        ColumnType.Tiny or ColumnType.Short or ColumnType.Long => (ushort)ColumnType.LongLong,
        ColumnType.Float => (ushort)ColumnType.Double,
        _ => type,
    };
}
