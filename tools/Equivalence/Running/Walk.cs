using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Running;

/// <summary>Reads a reader as the program's plan says: the rows, results and columns, the getter, and how to leave the reader.</summary>
internal sealed class Walk(ReadPlan plan, bool isAsync, bool isAgainstPeer, Action<string> tell)
{
    /// <summary>Reads and leaves the reader.</summary>
    public async Task Through(DbDataReader reader, IDisposable command, Lease lease)
    {
        var isLeft = false;
        try
        {
            var results = 0;
            do
            {
                Columns(reader);
                var rows = 0;
                while (rows != plan.Rows && (isAsync ? await reader.ReadAsync() : reader.Read()))
                {
                    rows++;
                    tell("row " + string.Join(" | ", await Cells(reader)));
                }

                tell(rows == plan.Rows ? "left" : "end");
                results++;
            }
            while (results != plan.Results && (isAsync ? await reader.NextResultAsync() : reader.NextResult()));

            isLeft = await Leave(reader, command, lease);
        }
        finally
        {
            if (!isLeft)
                await Dispose(reader);
        }

        // The peers' RecordsAffected differs after a reader that was left early, and for queries alone.
        if (!isAgainstPeer)
            tell("changed " + Canonical.Value(reader.RecordsAffected));
    }

    private async Task<bool> Leave(DbDataReader reader, IDisposable command, Lease lease)
    {
        switch (plan.Leaves)
        {
            case Leaving.Close when isAsync:
                await reader.CloseAsync();
                break;
            case Leaving.Close:
                reader.Close();
                break;
            case Leaving.CommandDisposed:
                command.Dispose();
                await Dispose(reader);
                break;
            case Leaving.ConnectionClosed when isAsync:
                await lease.Connection.CloseAsync();
                tell("reader closed " + reader.IsClosed);
                await lease.Connection.OpenAsync();
                break;
            case Leaving.ConnectionClosed:
                lease.Connection.Close();
                tell("reader closed " + reader.IsClosed);
                lease.Connection.Open();
                break;
            default:
                return false;
        }

        return true;
    }

    private async Task Dispose(DbDataReader reader)
    {
        if (isAsync)
            await reader.DisposeAsync();
        else
            reader.Dispose();
    }

    private void Columns(DbDataReader reader)
    {
        var columns = new List<string>();
        for (var i = 0; i < reader.FieldCount; i++)
            columns.Add(
                $"{reader.GetName(i)} {(isAgainstPeer ? "" : Said(() => TypeNameOf(reader, i)))} {Said(() => Canonical.NameOf(reader.GetFieldType(i)))}");
        tell($"columns {string.Join(" | ", columns)}; rows {reader.HasRows}");
        if (!plan.Schema)
            return;
        foreach (var column in reader.GetColumnSchema())
        {
            tell(string.Create(CultureInfo.InvariantCulture,
                $"schema {column.ColumnName} {column.BaseTableName}.{column.BaseColumnName} {column.DataTypeName} {column.ColumnSize} "
                    + $"{column.NumericPrecision} {column.NumericScale} null={column.AllowDBNull} key={column.IsKey} auto={column.IsAutoIncrement} "
                    + $"long={column.IsLong}"));
        }
    }

    private IEnumerable<int> Ordinals(int count) => plan.Columns switch
    {
        Selection.None => [],
        Selection.First => Enumerable.Range(0, Math.Min(count, 1)),
        Selection.Last => Enumerable.Range(Math.Max(count - 1, 0), Math.Min(count, 1)),
        Selection.EverySecond => Enumerable.Range(0, count).Where(static i => i % 2 == 1),
        Selection.Backwards => Enumerable.Range(0, count).Reverse(),
        Selection.Twice => Enumerable.Range(0, count).SelectMany(static i => (int[])[i, i]),
        _ => Enumerable.Range(0, count),
    };

    private async Task<List<string>> Cells(DbDataReader reader)
    {
        if (plan.By == Reading.Rows)
        {
            var values = new object[reader.FieldCount];
            _ = reader.GetValues(values);
            return [.. values.Select(Canonical.Value)];
        }

        var cells = new List<string>();
        foreach (var i in Ordinals(reader.FieldCount))
        {
            try
            {
                cells.Add(await Cell(reader, i));
            }
            catch (Exception exception) when (exception is not DbException && plan.Leaves != Leaving.FirstFailure)
            {
                // The peers' types of exceptions differ.
                cells.Add(isAgainstPeer ? "!" : "!" + exception.GetType().Name);
            }
        }

        return cells;
    }

    private async Task<string> Cell(DbDataReader reader, int i)
    {
        if (plan.By == Reading.Nullables)
            return Canonical.Value(isAsync ? await reader.GetFieldValueAsync<int?>(i) : reader.GetFieldValue<int?>(i));
        if (isAsync ? await reader.IsDBNullAsync(i) : reader.IsDBNull(i))
            return "NULL";
        return plan.By switch
        {
            Reading.Values => Canonical.Value(isAsync ? await reader.GetFieldValueAsync<object>(i) : reader.GetValue(i)),
            Reading.Strings => Canonical.Value(reader.GetString(i)),
            Reading.Int32s => Canonical.Value(reader.GetInt32(i)),
            Reading.Int64s => Canonical.Value(reader.GetInt64(i)),
            Reading.Doubles => Canonical.Value(reader.GetDouble(i)),
            Reading.Decimals => Canonical.Value(reader.GetDecimal(i)),
            Reading.Booleans => Canonical.Value(reader.GetBoolean(i)),
            Reading.DateTimes => Canonical.Value(reader.GetDateTime(i)),
            Reading.Bytes => Canonical.Value(Bytes(reader, i)),
            Reading.Chars => Canonical.Value(Chars(reader, i)),
            Reading.Guids => Canonical.Value(reader.GetGuid(i)),
            Reading.TextReaders => Canonical.Value(await Text(reader, i)),
            Reading.DateOnlys => Canonical.Value(await Field<DateOnly>(reader, i)),
            Reading.DateTimeOffsets => Canonical.Value(await Field<DateTimeOffset>(reader, i)),
            Reading.TimeSpans => Canonical.Value(await Field<TimeSpan>(reader, i)),
            Reading.FieldValues => await OfItsType(reader, i),
            Reading.Names => Canonical.Value(reader[reader.GetName(i)]),
            Reading.OtherTypes => Canonical.Value(await TypedReading.Read(reader, i, plan.Choice, isAsync)),
            _ => Canonical.Value(await Streamed(reader, i)),
        };
    }

    private async Task<object?> Field<T>(DbDataReader reader, int i) => isAsync ? await reader.GetFieldValueAsync<T>(i) : reader.GetFieldValue<T>(i);

    private async Task<string> OfItsType(DbDataReader reader, int i) => Canonical.Value(Type.GetTypeCode(reader.GetFieldType(i)) switch
    {
        TypeCode.Boolean => await Field<bool>(reader, i),
        TypeCode.SByte => await Field<sbyte>(reader, i),
        TypeCode.Byte => await Field<byte>(reader, i),
        TypeCode.Int16 => await Field<short>(reader, i),
        TypeCode.UInt16 => await Field<ushort>(reader, i),
        TypeCode.Int32 => await Field<int>(reader, i),
        TypeCode.UInt32 => await Field<uint>(reader, i),
        TypeCode.Int64 => await Field<long>(reader, i),
        TypeCode.UInt64 => await Field<ulong>(reader, i),
        TypeCode.Single => await Field<float>(reader, i),
        TypeCode.Double => await Field<double>(reader, i),
        TypeCode.Decimal => await Field<decimal>(reader, i),
        TypeCode.DateTime => await Field<DateTime>(reader, i),
        TypeCode.String => await Field<string>(reader, i),
        _ when reader.GetFieldType(i) == typeof(byte[]) => await Field<byte[]>(reader, i),
        _ when reader.GetFieldType(i) == typeof(Guid) => await Field<Guid>(reader, i),
        _ => await Field<object>(reader, i),
    });

    // Returns how much of a value to read next.
    private int Next(long read, int piece) => plan.Most < 0 ? piece : (int)Math.Min(piece, plan.Most - read);

    private byte[] Bytes(DbDataReader reader, int i)
    {
        var all = new MemoryStream();
        var piece = new byte[7000];
        while (Next(all.Length, piece.Length) is > 0 and var wanted && reader.GetBytes(i, all.Length, piece, 0, wanted) is > 0 and var count)
            all.Write(piece, 0, (int)count);
        return all.ToArray();
    }

    private string Chars(DbDataReader reader, int i)
    {
        var all = new System.Text.StringBuilder();
        var piece = new char[7000];
        while (Next(all.Length, piece.Length) is > 0 and var wanted && reader.GetChars(i, all.Length, piece, 0, wanted) is > 0 and var count)
            all.Append(piece, 0, (int)count);
        return all.ToString();
    }

    private async Task<byte[]> Streamed(DbDataReader reader, int i)
    {
        await using var stream = reader.GetStream(i);
        var all = new MemoryStream();
        var piece = new byte[7000];
        while (Next(all.Length, piece.Length) is > 0 and var wanted)
        {
            var count = isAsync ? await stream.ReadAsync(piece.AsMemory(0, wanted)) : stream.Read(piece, 0, wanted);
            if (count == 0)
                break;
            all.Write(piece, 0, count);
        }

        return all.ToArray();
    }

    private async Task<string> Text(DbDataReader reader, int i)
    {
        using var text = reader.GetTextReader(i);
        var all = new System.Text.StringBuilder();
        var piece = new char[7000];
        while (Next(all.Length, piece.Length) is > 0 and var wanted)
        {
            var count = isAsync ? await text.ReadAsync(piece.AsMemory(0, wanted)) : text.Read(piece, 0, wanted);
            if (count == 0)
                break;
            all.Append(piece, 0, count);
        }

        return all.ToString();
    }

    // The object id of a type that the driver does not know is another one each time that the type is created.
    private static string TypeNameOf(DbDataReader reader, int i) =>
        reader.GetDataTypeName(i) is var name && name.StartsWith("oid ", StringComparison.Ordinal) ? "a type without a name" : name;

    private static string Said(Func<string> say)
    {
        try
        {
            return say();
        }
        catch (Exception exception)
        {
            return "!" + exception.GetType().Name;
        }
    }
}
