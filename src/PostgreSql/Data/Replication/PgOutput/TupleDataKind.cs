namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>How a value of a row is sent.</summary>
public enum TupleDataKind : byte
{
    /// <summary>The value is NULL.</summary>
    Null = (byte)'n',

    /// <summary>The value is stored out of line (TOAST) and has not changed. It is not sent.</summary>
    UnchangedToastedValue = (byte)'u',

    /// <summary>The value is text.</summary>
    TextValue = (byte)'t',

    /// <summary>The value is in the binary format of its type.</summary>
    BinaryValue = (byte)'b',
}
