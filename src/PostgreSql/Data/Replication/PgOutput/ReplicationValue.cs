using System.Diagnostics.CodeAnalysis;
using System.Text;
using Slipstream.PostgreSql.Conversations;

namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>
/// A value of a row. The object is reused for the next value. A value that is sent as text can be read as the .NET types of its database type, too, but without
/// a type it is a string.
/// </summary>
public class ReplicationValue
{
    private readonly ReplicationTuple _tuple;
    private readonly WalBuffer _buffer;

    internal ReplicationValue(ReplicationTuple tuple, WalBuffer buffer) => (_tuple, _buffer) = (tuple, buffer);

    /// <summary>Gets the length of the value as it is sent, in bytes; 0 for a value that is NULL or not sent.</summary>
    public int Length => Math.Max(LengthOrNull, 0);

    /// <summary>Gets how the value is sent.</summary>
    public TupleDataKind Kind
    {
        get
        {
            _tuple.Require();
            return (TupleDataKind)_tuple.Data.Kinds[Ordinal];
        }
    }

    /// <summary>Gets whether the value is NULL.</summary>
    public bool IsDBNull => Kind == TupleDataKind.Null;

    /// <summary>Gets whether the value is stored out of line (TOAST) and has not changed. It is not sent.</summary>
    public bool IsUnchangedToastedValue => Kind == TupleDataKind.UnchangedToastedValue;

    internal int Ordinal { get; set; }

    private int LengthOrNull
    {
        get
        {
            _tuple.Require();
            return _tuple.Data.Lengths[Ordinal];
        }
    }

    /// <summary>Returns the type of the column in the database.</summary>
    public PostgresType GetPostgresType() => _tuple.Require().TypeOf(Ordinal).Postgres;

    /// <summary>Returns the name of the column's type in the database, such as <c>integer</c>.</summary>
    public string GetDataTypeName() => _tuple.Require().GetDataTypeName(Ordinal);

    /// <summary>Returns the .NET type of <see cref="Get(CancellationToken)"/>: string for a value that is sent as text.</summary>
    [return: DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    public Type GetFieldType()
    {
        var row = _tuple.Require();
        return Kind == TupleDataKind.TextValue ? typeof(string) : row.GetFieldType(Ordinal);
    }

    /// <summary>Returns the name of the column.</summary>
    public string GetFieldName() => _tuple.Require().GetName(Ordinal);

    /// <summary>Returns the value as a .NET type.</summary>
    /// <typeparam name="T">The type, as for <c>GetFieldValue</c> of a data reader. A nullable type or object can be read if the value is NULL.</typeparam>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The value. The task has already completed.</returns>
    /// <exception cref="InvalidCastException">The value is NULL, is not sent, or cannot be converted.</exception>
    /// <exception cref="ObjectDisposedException">The next message has been requested.</exception>
    public ValueTask<T> Get<T>(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<T>(cancellationToken);
        try
        {
            var row = Readable();
            return new((typeof(T) == typeof(object) || typeof(T) == typeof(string)) && Kind == TupleDataKind.TextValue
                ? (T)(object)Text()
                : row.GetFieldValue<T>(Ordinal));
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<T>(exception);
        }
    }

    /// <summary>Returns the value: a string if it is sent as text, <see cref="DBNull"/> if it is NULL.</summary>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The value. The task has already completed.</returns>
    /// <exception cref="InvalidCastException">The value is not sent.</exception>
    /// <exception cref="ObjectDisposedException">The next message has been requested.</exception>
    public ValueTask<object> Get(CancellationToken cancellationToken = default) => Get<object>(cancellationToken);

    /// <summary>Returns the bytes of the value as they are sent.</summary>
    /// <returns>A stream that is valid until the next message is requested.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or not sent.</exception>
    /// <exception cref="ObjectDisposedException">The next message has been requested.</exception>
    public Stream GetStream()
    {
        Readable();
        return LengthOrNull is var length and >= 0
            ? new WalDataStream(_buffer).At(_tuple.Data.At[Ordinal], length)
            : throw new InvalidCastException($"Column '{GetFieldName()}' is NULL in this row: check IsDBNull first.");
    }

    /// <summary>Returns the value as text, for values that are sent as text or have a text type.</summary>
    /// <returns>A reader that is valid until the next message is requested.</returns>
    /// <exception cref="InvalidCastException">The value is NULL, is not sent, or is not text.</exception>
    /// <exception cref="ObjectDisposedException">The next message has been requested.</exception>
    public TextReader GetTextReader()
    {
        var row = Readable();
        return new StringReader(Kind == TupleDataKind.TextValue ? Text() : row.GetFieldValue<string>(Ordinal));
    }

    private string Text() => Encoding.UTF8.GetString(_buffer.Bytes, _tuple.Data.At[Ordinal], LengthOrNull);

    private PgRow Readable()
    {
        var row = _tuple.Require();
        return !IsUnchangedToastedValue
            ? row
            : throw new InvalidCastException(
                $"The value of column '{row.GetName(Ordinal)}' is stored out of line (TOAST), has not changed, and was not sent: check IsUnchangedToastedValue "
                    + "first, or set REPLICA IDENTITY FULL and read it from the old row.");
    }
}
