using System.Collections;
using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.Core.Tests.Data;

/// <summary>Readers that were written only for bulk copies, as many mappers have one, support few members.</summary>
public class ReaderBulkSourceTests
{
    private static readonly object?[][] Rows = [[1, "one", null, 1.5], [2L, DBNull.Value, new byte[] { 1 }, "2.5"], [3, "three", "x", 3.5]];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task FieldCount_Read_and_GetValues_are_enough(bool asynchronous)
    {
        using var reader = new Proxy(Offers.Values);
        Assert.Equal(Expected, await Copy(Proxy.AsPlain(reader), asynchronous));
    }

    [Theory]
    [InlineData(Offers.Values, false)]
    [InlineData(Offers.Values, true)]
    [InlineData(Offers.Value, false)]
    [InlineData(Offers.Value, true)]
    [InlineData(Offers.Value | Offers.Type, false)]
    [InlineData(Offers.Value | Offers.Type | Offers.Null, true)]
    [InlineData(Offers.Values | Offers.Type | Offers.Null | Offers.Typed, false)]
    [InlineData(Offers.Values | Offers.Value | Offers.Type | Offers.Null | Offers.Typed, true)]
    public async Task What_a_reader_does_not_offer_is_read_another_way(Offers offers, bool asynchronous)
    {
        using var reader = new Proxy(offers);
        Assert.Equal(Expected, await Copy(reader, asynchronous));
    }

    [Fact]
    public async Task What_a_reader_throws_at_a_value_it_offers_is_the_callers()
    {
        using var reader = new Proxy(Offers.Values | Offers.Value) { Failure = new InvalidOperationException("the source is broken") };
        Assert.Same(reader.Failure, await Assert.ThrowsAsync<InvalidOperationException>(() => Copy(reader, asynchronous: false)));
    }

    private static string[] Expected => [.. Rows.Select(static row => Shown([row[3], row[0], row[1], row[2]]))];

    private static async Task<List<string>> Copy(IDataReader reader, bool asynchronous)
    {
        var (source, rows) = (new ReaderBulkSource<SpyRow>(reader, default), new List<string>());
        Assert.Equal(4, source.FieldCount);
        source.Map([3, 0, 1, 2]);
        while (asynchronous ? await source.MoveNextAsync() : source.MoveNext())
        {
            var row = new SpyRow([]);
            source.Write(row);
            rows.Add(Shown([.. row.Values]));
        }

        return rows;
    }

    private static string Shown(object?[] values) => string.Join(",", values.Select(static value => value switch
    {
        null or DBNull => "NULL",
        byte[] bytes => Convert.ToHexString(bytes),
        _ => FormattableString.Invariant($"{value}"),
    }));

    [Flags]
    public enum Offers
    {
        None = 0,
        Values = 1,
        Value = 2,
        Type = 4,
        Null = 8,
        Typed = 16,
    }

    private readonly struct SpyRow(List<object?> values) : IBulkRow
    {
        public List<object?> Values => values;

        public void Write<T>(T value) => values.Add(value);

        public void WriteNull() => values.Add(null);
    }

    /// <summary>The rows of the test, with the members that it supports.</summary>
    private sealed class Proxy(Offers offers) : DbDataReader
    {
        private int _row = -1;

        public Exception? Failure { get; init; }

        /// <summary>Wraps the reader without the base class that most readers have.</summary>
        public static IDataReader AsPlain(Proxy reader) =>
            System.Reflection.DispatchProxy.Create<IDataReader, Plain>() is Plain plain ? plain.Of(reader) : reader;

        public override int FieldCount => 4;

        public override bool Read() => ++_row < Rows.Length;

        public override int GetValues(object[] values)
        {
            Need(Offers.Values);
            Rows[_row].CopyTo(values, 0);
            return 4;
        }

        public override object GetValue(int ordinal)
        {
            Need(Offers.Value);
            return Rows[_row][ordinal]!;
        }

        public override Type GetFieldType(int ordinal)
        {
            Need(Offers.Type);
            return ((Type[])[typeof(int), typeof(string), typeof(byte[]), typeof(double)])[ordinal];
        }

        public override bool IsDBNull(int ordinal)
        {
            Need(Offers.Null);
            return Rows[_row][ordinal] is null or DBNull;
        }

        public override int GetInt32(int ordinal) => Typed<int>(ordinal);

        public override double GetDouble(int ordinal) => Typed<double>(ordinal);

        public override string GetString(int ordinal) => Typed<string>(ordinal);

        private T Typed<T>(int ordinal)
        {
            Need(Offers.Typed);
            return (T)Rows[_row][ordinal]!;
        }

        // Real readers throw both.
        private void Need(Offers offer)
        {
            if (Failure is not null)
                throw Failure;
            if ((offers & offer) == 0)
                throw offer == Offers.Null ? new NotImplementedException() : new NotSupportedException();
        }

        public override object this[int ordinal] => throw new NotImplementedException();

        public override object this[string name] => throw new NotImplementedException();

        public override int Depth => throw new NotImplementedException();

        public override bool HasRows => throw new NotImplementedException();

        public override bool IsClosed => throw new NotImplementedException();

        public override int RecordsAffected => throw new NotImplementedException();

        public override bool GetBoolean(int ordinal) => throw new NotImplementedException();

        public override byte GetByte(int ordinal) => throw new NotImplementedException();

        public override long GetBytes(int ordinal, long dataOffset, byte[]? buffer, int bufferOffset, int length) => throw new NotImplementedException();

        public override char GetChar(int ordinal) => throw new NotImplementedException();

        public override long GetChars(int ordinal, long dataOffset, char[]? buffer, int bufferOffset, int length) => throw new NotImplementedException();

        public override string GetDataTypeName(int ordinal) => throw new NotImplementedException();

        public override DateTime GetDateTime(int ordinal) => throw new NotImplementedException();

        public override decimal GetDecimal(int ordinal) => throw new NotImplementedException();

        public override IEnumerator GetEnumerator() => throw new NotImplementedException();

        public override float GetFloat(int ordinal) => throw new NotImplementedException();

        public override Guid GetGuid(int ordinal) => throw new NotImplementedException();

        public override short GetInt16(int ordinal) => throw new NotImplementedException();

        public override long GetInt64(int ordinal) => throw new NotImplementedException();

        public override string GetName(int ordinal) => throw new NotImplementedException();

        public override int GetOrdinal(string name) => throw new NotImplementedException();

        public override bool NextResult() => throw new NotImplementedException();
    }

    /// <summary>A separate <see cref="IDataReader"/>, which forwards its members to a reader of the test.</summary>
    public class Plain : System.Reflection.DispatchProxy
    {
        private IDataReader _reader = null!;

        internal IDataReader Of(IDataReader reader)
        {
            _reader = reader;
            return (IDataReader)(object)this;
        }

        protected override object? Invoke(System.Reflection.MethodInfo? targetMethod, object?[]? args)
        {
            try
            {
                return targetMethod!.Invoke(_reader, args);
            }
            catch (System.Reflection.TargetInvocationException exception)
            {
                throw exception.InnerException!;
            }
        }
    }
}
