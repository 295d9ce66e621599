using Slipstream.Core.Errors;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Tests.Support;

namespace Slipstream.MySql.Tests.Codecs;

public class ResultMetadataTests
{
    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(500)]
    public void Names_are_found_as_written_first_then_without_case(int count)
    {
        var columns = Enumerable.Range(0, count).Select(i => new ColumnSpec(ColumnType.Long, Name: $"n{i}")).ToArray();
        columns[0] = columns[0] with { Name = "Twice" };
        columns[^1] = columns[^1] with { Name = "twice" };
        var metadata = Definitions.Metadata(CodecSettings.Default, columns);

        Assert.Equal(0, metadata.IndexOf("Twice"));
        Assert.Equal(count - 1, metadata.IndexOf("twice"));
        Assert.Equal(0, metadata.IndexOf("TWICE"));
        Assert.Equal(-1, metadata.IndexOf("none"));
        var error = metadata.Missing("none", metadata.Name);
        Assert.Contains("'none'", error.Message, StringComparison.Ordinal);
        Assert.Contains("'Twice'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_are_those_of_the_definition()
    {
        var metadata = Definitions.Metadata(CodecSettings.Default, new ColumnSpec(ColumnType.Long, Name: "ä"), new ColumnSpec(ColumnType.Long, Name: "b"));
        Assert.Equal(
            ("b", "org_b", "alias", "table", "schema", "def", "ä"),
            (
                metadata.Name(1), metadata.OriginalName(1), metadata.Table(1), metadata.OriginalTable(1), metadata.Schema(1), metadata.Catalog(1),
                metadata.Name(0)));
    }

    [Fact]
    public void Definitions_cut_anywhere_or_followed_by_more_are_refused()
    {
        var raw = Definitions.Raw(new ColumnSpec(ColumnType.Long), new ColumnSpec(ColumnType.String, Name: "name"));
        for (var length = 0; length < raw.Length; length++)
            Assert.Throws<ProtocolException>(() => ResultMetadata.Read(raw.AsSpan(0, length), 2, CodecSettings.Default));
        Assert.Throws<ProtocolException>(() => ResultMetadata.Read([.. raw, 0], 2, CodecSettings.Default));
        Assert.Throws<ProtocolException>(() => ResultMetadata.Read(raw, 1, CodecSettings.Default));
        Assert.Equal(raw, ResultMetadata.Read(raw, 2, CodecSettings.Default).Raw);
    }

    [Fact]
    public void Bytes_that_are_no_definition_are_refused_whatever_they_are()
    {
        var raw = Definitions.Raw(new ColumnSpec(ColumnType.Long));
        var random = new Random(3);
        for (var round = 0; round < 2000; round++)
        {
            var broken = raw.ToArray();
            for (var i = 0; i < 3; i++)
                broken[random.Next(broken.Length)] = (byte)random.Next(256);
            try
            {
                var metadata = ResultMetadata.Read(broken, 1, CodecSettings.Default);
                _ = metadata.Name(0) + metadata.OriginalName(0) + metadata.Catalog(0);
            }
            catch (ProtocolException)
            {
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(4097)]
    [InlineData(ulong.MaxValue)]
    public void A_count_out_of_bounds_is_refused(ulong count) => Assert.Throws<ProtocolException>(() => ResultMetadata.CheckCount(count));

    [Fact]
    public void A_definition_that_is_too_long_is_refused() => Assert.Throws<ProtocolException>(
        () => ResultMetadata.Read(Definitions.Raw(new ColumnSpec(ColumnType.Long, Name: new string('x', 40_000))), 1, CodecSettings.Default));

    [Fact]
    public void Leading_columns_of_fixed_width_have_constant_offsets()
    {
        var metadata = Definitions.Metadata(
            CodecSettings.Default, new(ColumnType.Tiny), new(ColumnType.LongLong), new(ColumnType.Year), new(ColumnType.VarString), new(ColumnType.Long),
            new(ColumnType.Long), new(ColumnType.Long));
        Assert.Equal((2, 3, 14), (metadata.BitmapLength, metadata.FixedCount, metadata.FixedEnd));
        Assert.Equal([3, 4, 12], metadata.Columns[..3].Select(column => column.FixedAt));
    }
}
