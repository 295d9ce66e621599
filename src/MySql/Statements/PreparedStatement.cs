using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Statements;

/// <summary>A statement that one session has prepared.</summary>
internal sealed class PreparedStatement(uint id, int parameters, ResultMetadata? metadata, ScannedSql scanned)
{
    private ushort[]? _types;
    private ushort[]? _sent;
    private bool _isSent;

    /// <summary>Gets or sets the server's ID of the statement, which is valid only in this session.</summary>
    public uint Id { get; set; } = id;

    /// <summary>Gets the number of values that an execution needs.</summary>
    public int Parameters => parameters;

    /// <summary>Gets or sets the columns of the result as the server last described them; null if the statement returns no result.</summary>
    public ResultMetadata? Metadata { get; set; } = metadata;

    /// <summary>Gets or sets whether the application has asked for it, not the driver.</summary>
    public bool IsByUser { get; set; }

    /// <summary>Returns false if the same text was prepared with a different choice between parameters and user variables.</summary>
    public bool IsFor(ScannedSql other) => ReferenceEquals(other, scanned) || other.Prepared.AsSpan().SequenceEqual(scanned.Prepared);

    /// <summary>
    /// Returns whether a value of this type can be executed. MySQL chooses the type of a parameter at the first execution and converts later values: after an
    /// execution of <c>JSON_OBJECT('k', ?)</c> with 5, one with 'abc' gives 0. ("PREPARE Statement", dev.mysql.com: derived parameter types.)
    /// </summary>
    public bool Takes(ushort type, int parameter) =>
        _types is null || type == (ushort)ColumnType.Null || _types[parameter] == (ushort)ColumnType.Null || Family(type) == Family(_types[parameter]);

    /// <summary>Records the type that the server received first. NULL has no type.</summary>
    public void Remember(ushort type, int parameter)
    {
        _types ??= NoTypes(parameters);
        if (_types[parameter] == (ushort)ColumnType.Null)
            _types[parameter] = type;
    }

    /// <summary>
    /// Returns whether the server still has the types of the last execution and this value has the same type. NULL is a type of its own: an expression with
    /// NULL has another type than one with a number.
    /// </summary>
    public bool WasSent(ushort type, int parameter) => _isSent && _sent![parameter] == type;

    /// <summary>Records the type that the next execution sends.</summary>
    public void Send(ushort type, int parameter)
    {
        _sent ??= new ushort[parameters];
        _sent[parameter] = type;
        _isSent = false;
    }

    /// <summary>Records that the execution with all types is written.</summary>
    public void Sent() => _isSent = true;

    /// <summary>Makes the next execution send the types again.</summary>
    public void ForgetSent() => _isSent = false;

    private static ushort[] NoTypes(int count)
    {
        var types = new ushort[count];
        Array.Fill(types, (ushort)ColumnType.Null);
        return types;
    }

    // MySQL treats signed integers of all widths as BIGINT, and both floating-point types as DOUBLE.
    private static ushort Family(ushort type) => (ColumnType)type switch
    {
        _ when type > byte.MaxValue => type,
        ColumnType.Tiny or ColumnType.Short or ColumnType.Long => (ushort)ColumnType.LongLong,
        ColumnType.Float => (ushort)ColumnType.Double,
        _ => type,
    };
}
