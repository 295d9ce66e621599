using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.Testing;

namespace Slipstream.MySql.Tests.Protocol.Commands;

public class StatementBulkExecuteTests
{
    [Fact]
    public void The_command_is_the_bytes_of_the_protocol_document()
    {
        var writer = new ByteWriter();
        var at = StatementBulkExecute.Begin(writer, 0x01020304, [(ushort)ColumnType.Long, (ushort)ColumnType.LongLong | StatementExecute.UnsignedFlag]);
        writer.Byte((byte)BulkIndicator.Null);
        writer.Byte((byte)BulkIndicator.Default);
        writer.End(at);
        Assert.Equal("0D000000" + "FA04030201" + "8000" + "0300" + "0880" + "01" + "02", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Rows_of_one_statement_have_an_indicator_in_front_of_each_value()
    {
        var rows = new StagedRows(2, CodecSettings.Default, isBulk: true);
        rows.Write(1);
        rows.Write("ab");
        rows.EndRow();
        rows.WriteNull();
        rows.Write<string?>(null);
        rows.EndRow();
        var writer = new ByteWriter();
        rows.WriteBulkExecute(writer, 7, 0, rows.Count);
        Assert.Equal("16000000" + "FA07000000" + "8000" + "0300" + "FD00" + "0001000000" + "00026162" + "01" + "01", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Some_of_the_rows_can_be_sent()
    {
        var rows = Numbers(isBulk: true, 1, 2, 3);
        var writer = new ByteWriter();
        rows.WriteBulkExecute(writer, 7, 1, 2);
        Assert.Equal("13000000" + "FA07000000" + "8000" + "0300" + "0002000000" + "0003000000", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void A_row_of_other_types_waits_for_the_next_command()
    {
        var rows = Numbers(isBulk: true, 1);
        rows.Write("a");
        rows.EndRow();
        Assert.True(rows.CarriesRow);
        Assert.Equal(1, rows.Count);
        Assert.Throws<InvalidOperationException>(() =>
        {
            rows.Write("b");
            rows.EndRow();
        });

        rows = Numbers(isBulk: true, 1);
        rows.Write("a");
        rows.EndRow();
        rows.Clear();
        Assert.False(rows.CarriesRow);
        Assert.Equal(1, rows.Count);
        var writer = new ByteWriter();
        rows.WriteBulkExecute(writer, 7, 0, 1);
        Assert.Equal("0C000000" + "FA07000000" + "8000" + "FD00" + "000161", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Null_goes_with_every_type()
    {
        var rows = new StagedRows(1, CodecSettings.Default, isBulk: true);
        rows.WriteNull();
        rows.EndRow();
        rows.Write(5);
        rows.EndRow();
        rows.WriteNull();
        rows.EndRow();
        Assert.False(rows.CarriesRow);
        var writer = new ByteWriter();
        rows.WriteBulkExecute(writer, 7, 0, 3);
        Assert.Equal("10000000" + "FA07000000" + "8000" + "0300" + "01" + "0005000000" + "01", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Rows_of_a_statement_of_many_rows_stand_behind_one_bitmap_and_all_types()
    {
        var rows = new StagedRows(2, CodecSettings.Default, isBulk: false);
        for (var i = 0; i < 5; i++)
        {
            rows.Write(i);
            if (i == 4)
                rows.WriteNull();
            else
                rows.Write("x");
            rows.EndRow();
        }

        var writer = new ByteWriter();
        rows.WriteExecute(writer, 9, 3, 2);
        Assert.Equal(
            "1E000000" + "1709000000" + "00" + "01000000" + "08" + "01" + "0300FD000300" + "0600" + "03000000" + "0178" + "04000000",
            Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Rows_of_a_statement_of_many_rows_may_have_different_types()
    {
        var rows = Numbers(isBulk: false, 1);
        rows.Write("a");
        rows.EndRow();
        Assert.False(rows.CarriesRow);
        Assert.Equal(2, rows.Count);
        rows.Clear();
        Assert.Equal(0, rows.Count);
        Assert.Equal(0, rows.Length);
    }

    [Fact]
    public void A_row_must_have_as_many_values_as_there_are_columns()
    {
        var rows = new StagedRows(2, CodecSettings.Default, isBulk: true);
        rows.Write(1);
        Assert.Throws<InvalidOperationException>(rows.EndRow);
        rows.Write(2);
        Assert.Throws<InvalidOperationException>(() => rows.Write(3));
        rows.DropRow();
        Assert.Equal(0, rows.Length);
    }

    [Fact]
    public void Writing_typed_values_allocates_nothing()
    {
        var rows = new StagedRows(3, CodecSettings.Default, isBulk: true);
        Fill(rows);
        Assert.Equal(0, Allocations.Of(() =>
        {
            rows.Clear();
            Fill(rows);
        }));

        static void Fill(StagedRows rows)
        {
            for (var i = 0; i < 5000; i++)
            {
                rows.Write(i);
                rows.Write((long)i);
                rows.Write("some text");
                rows.EndRow();
            }
        }
    }

    private static StagedRows Numbers(bool isBulk, params int[] values)
    {
        var rows = new StagedRows(1, CodecSettings.Default, isBulk);
        foreach (var value in values)
        {
            rows.Write(value);
            rows.EndRow();
        }

        return rows;
    }
}
