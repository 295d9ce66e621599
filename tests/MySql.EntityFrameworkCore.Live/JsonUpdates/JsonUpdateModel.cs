using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Storage.ValueConversion;

namespace Slipstream.MySql.EntityFrameworkCore.Live.JsonUpdates;

/// <summary>Rows with one value of each type in columns, and the same types in documents.</summary>
internal sealed class JsonUpdateContext(DbContextOptions options) : DbContext(options)
{
    public DbSet<Row> Rows => Set<Row>();

    protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.Entity<Row>(static row =>
    {
        row.Property(static r => r.Id).ValueGeneratedNever();
        row.ComplexProperty(static r => r.Columns);
        row.ComplexProperty(static r => r.Others);
        row.ComplexProperty(static r => r.Source, static source => source.ToJson());
        row.ComplexProperty(static r => r.Document, static document => document.ToJson());
        foreach (var values in row.Metadata.GetComplexProperties().Select(static property => property.ComplexType).SelectMany(All))
            Convert(values);
    });

    /// <summary>Gives some properties other types in the database.</summary>
    public static void Convert(IMutableComplexType values)
    {
        values.FindProperty(nameof(Values.BinaryGuid))?.SetColumnType("binary(16)");
        values.FindProperty(nameof(Values.ColorText))?.SetProviderClrType(typeof(string));
        values.FindProperty(nameof(Values.YesNo))?.SetValueConverter(new BoolToStringConverter("N", "Y"));
        values.FindProperty(nameof(Values.ZeroOne))?.SetProviderClrType(typeof(int));
        values.FindProperty(nameof(Values.Ticks))?.SetProviderClrType(typeof(long));
        values.FindProperty(nameof(Values.Price))?.SetPrecision(24);
        values.FindProperty(nameof(Values.Price))?.SetScale(2);
    }

    private static IEnumerable<IMutableComplexType> All(IMutableComplexType type) =>
        type.GetComplexProperties().Select(static property => property.ComplexType).SelectMany(All).Prepend(type);
}

internal enum Color
{
    Red,
    Green = 7,
    Blue = -2,
}

internal sealed class Row
{
    public int Id { get; set; }

    public Values Columns { get; set; } = new();

    public Values Others { get; set; } = new();

    public Values Source { get; set; } = new();

    public Document Document { get; set; } = new();
}

internal sealed class Document
{
    public Values Nested { get; set; } = new();

    public List<Values> Items { get; set; } = [];
}

internal sealed class Values
{
    public bool Bool { get; set; }

    public bool? MaybeBool { get; set; }

    public bool YesNo { get; set; }

    public bool ZeroOne { get; set; }

    public sbyte SByte { get; set; }

    public byte Byte { get; set; }

    public short Short { get; set; }

    public ushort UShort { get; set; }

    public int Int { get; set; }

    public int? MaybeInt { get; set; }

    public uint UInt { get; set; }

    public long Long { get; set; }

    public ulong ULong { get; set; }

    public char Char { get; set; }

    public float Float { get; set; }

    public double Double { get; set; }

    public decimal Decimal { get; set; }

    public decimal? MaybeDecimal { get; set; }

    public decimal Price { get; set; }

    public Color Color { get; set; }

    public Color? MaybeColor { get; set; }

    public Color ColorText { get; set; }

    public string Text { get; set; } = "";

    public string? MaybeText { get; set; }

    public byte[] Bytes { get; set; } = [];

    public byte[]? MaybeBytes { get; set; }

    public Guid Guid { get; set; }

    public Guid? MaybeGuid { get; set; }

    public Guid BinaryGuid { get; set; }

    public DateOnly Day { get; set; }

    public DateOnly? MaybeDay { get; set; }

    public TimeOnly Time { get; set; }

    public TimeOnly? MaybeTime { get; set; }

    public DateTime Date { get; set; }

    public DateTime? MaybeDate { get; set; }

    public DateTimeOffset Moment { get; set; }

    public DateTimeOffset? MaybeMoment { get; set; }

    public TimeSpan Span { get; set; }

    public TimeSpan? MaybeSpan { get; set; }

    public TimeSpan Ticks { get; set; }

    /// <summary>Returns one of four sets of values.</summary>
    public static Values Of(int number)
    {
        bool[] bools = [true, false, true, false];
        long[] longs = [long.MinValue, -1, long.MaxValue, 9007199254740993];
        decimal[] decimals = [1.50m, -12345678901234567.89m, 0m, 100m];
        string[] texts = ["a\"b\\c'd", "null", "☃😀\n\t", ""];
        byte[][] bytes = [[0xfb, 0xef, 0xbe, 0xff, 0xff], [.. Enumerable.Range(0, 200).Select(static n => (byte)n)], [], [0]];
        Color[] colors = [Color.Green, Color.Blue, Color.Red, (Color)99];
        var guid = new Guid($"0f8fad5b-d9cb-469f-a165-70867728950{number:x}");
        DateTime[] dates =
        [
            new(2024, 2, 29, 23, 59, 59, 120), new(1999, 12, 31), new DateTime(2020, 1, 2, 3, 4, 5).AddMicroseconds(123456), new(1000, 1, 1, 10, 0, 0),
        ];
        TimeSpan[] spans =
        [
            new TimeSpan(1, 2, 3, 4, 500), -new TimeSpan(0, 1, 2, 3, 4, 7), TimeSpan.Zero, new TimeSpan(34, 22, 59, 58, 999, 999),
        ];
        return new()
        {
            Bool = bools[number], MaybeBool = !bools[number], YesNo = bools[number], ZeroOne = bools[number], SByte = (sbyte)(number - 128),
            Byte = (byte)(255 - number), Short = (short)(number - 32768), UShort = (ushort)(65535 - number), Int = number - 2, MaybeInt = int.MaxValue - number,
            UInt = uint.MaxValue - (uint)number, Long = longs[number], ULong = ulong.MaxValue - (ulong)number, Char = "\"☃ a"[number],
            Float = new[] { 0.1f, 1.2345679f, -3.4e38f, 16777216f }[number], Double = new[] { 0.1, 1e300, -1.2345678901234567, 5 }[number],
            Decimal = decimals[number], MaybeDecimal = decimals[3 - number], Price = decimals[number], Color = colors[number],
            MaybeColor = colors[3 - number], ColorText = colors[number % 3], Text = texts[number], MaybeText = texts[3 - number], Bytes = bytes[number],
            MaybeBytes = bytes[3 - number], Guid = guid, MaybeGuid = guid, BinaryGuid = guid, Day = DateOnly.FromDateTime(dates[number]),
            MaybeDay = DateOnly.FromDateTime(dates[3 - number]), Time = TimeOnly.FromDateTime(dates[number]),
            MaybeTime = TimeOnly.FromDateTime(dates[3 - number]), Date = dates[number],
            MaybeDate = dates[3 - number], Moment = new(dates[number], TimeSpan.FromMinutes((number + 1) * 90)),
            MaybeMoment = new(dates[number], TimeSpan.FromHours(3 - (number * 2))), Span = spans[number], MaybeSpan = spans[3 - number],
            Ticks = spans[number] * 3,
        };
    }
}
