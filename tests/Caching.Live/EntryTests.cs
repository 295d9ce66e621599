using System.Buffers;
using System.Text;
using Microsoft.Extensions.Caching.Distributed;

namespace Slipstream.Caching.Live;

/// <summary>Keys and values of entries, on each server, in both forms.</summary>
public sealed class EntryTests
{
    public static TheoryData<ServerKind, bool> Ways => Cached.Ways;

    public static TheoryData<ServerKind> Kinds => Cached.Kinds;

    [Theory, MemberData(nameof(Ways))]
    public async Task An_entry_can_be_read_replaced_and_removed(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        Assert.Null(await cached.Get("a"));
        Assert.Null(await cached.TryGet("a"));
        await cached.Refresh("a");
        await cached.Remove("a");

        await cached.Set("a", "one");
        await cached.Set("b", "another");
        Assert.Equal("one", await cached.GetText("a"));
        Assert.Equal("one"u8.ToArray(), await cached.TryGet("a"));
        await cached.Set("a", "two");
        Assert.Equal("two", await cached.GetText("a"));
        await cached.Remove("a");
        Assert.Null(await cached.Get("a"));
        Assert.Equal("another", await cached.GetText("b"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Values_of_every_size_come_back(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        foreach (var size in (int[])[0, 1, 1000, 65_535, 65_536, 65_537, 1 << 20, 5 << 20])
        {
            var value = new byte[size];
            new Random(size).NextBytes(value);
            await cached.Set("array", value);
            await cached.Set("sequence", new ReadOnlySequence<byte>(value));
            await cached.Set("pieces", Pieces(value));
            foreach (var key in (string[])["array", "sequence", "pieces"])
            {
                Assert.True(IsEqual(value, await cached.Get(key)), $"{size} bytes, {key}");
                Assert.True(IsEqual(value, await cached.TryGet(key)), $"{size} bytes, {key}, into a buffer");
            }
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Values_of_several_pieces_are_stored_if_nothing_may_be_prepared(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(
            kind, isAsync: true, new() { Settings = kind.IsPostgreSql() ? "Auto Prepare=false" : "Ignore Prepare=true;Auto Prepare=false" });
        var value = new byte[300_000];
        new Random(1).NextBytes(value);
        await cached.Set("a", Pieces(value));
        Assert.True(IsEqual(value, await cached.Get("a")));
        Assert.True(IsEqual(value, await cached.TryGet("a")));
        await cached.Set("a", "short");
        Assert.Equal("short"u8.ToArray(), await cached.TryGet("a"));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task Two_strings_are_never_the_same_key(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync);
        var k = new string('k', 511);
        string[] keys =
        [
            "", "a", "A", "a ", "a  ", " a", "a\t", "a\n", "a\0", "a\0b", "ä", "a\u0308", "Ä", "ss", "ß", "ı", "i", "İ", "I", "あ", "ア", "ｱ",
            "'", "''", "\"", "`", "\\", "\\'", "%", "_", "@id", "?", "$1", ":id", "';--", "/* a */", "😀", "😁", "👩‍👩‍👧",
            k, k + "k", k + "kk", k + "K", new string('ä', 255), new string('ä', 256), new string('ä', 257),
            new string('x', 10_000), new string('x', 10_001), new string('x', 10_000) + "y",
            "\ud800", "\ud801", "\udc00", "\ufffd", "\ud800a", "a\ud800", k + "\ud800", k + "\ud801",
        ];
        for (var i = 0; i < keys.Length; i++)
            await cached.Set(keys[i], $"{i}");
        Assert.Equal(keys.Length, await cached.Count());
        for (var i = 0; i < keys.Length; i++)
            Assert.Equal($"{i}", await cached.GetText(keys[i]));
        for (var i = 0; i < keys.Length; i += 2)
            await cached.Remove(keys[i]);
        for (var i = 0; i < keys.Length; i++)
            Assert.Equal(i % 2 == 0 ? null : $"{i}", await cached.GetText(keys[i]));
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task The_table_shows_keys_as_text_and_the_beginning_of_long_ones(ServerKind kind)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync: true);
        await cached.Set("user:1:größe", "short");
        Assert.Equal("user:1:größe"u8.ToArray(), await cached.Scalar($"SELECT id FROM {cached.Name}"));
        await cached.Remove("user:1:größe");

        var key = "report:" + new string('x', 600);
        await cached.Set(key, "long");
        var stored = (byte[])(await cached.Scalar($"SELECT id FROM {cached.Name}"))!;
        Assert.Equal(512, stored.Length);
        Assert.Equal(key[..480], Encoding.UTF8.GetString(stored, 0, 480));
    }

    [Theory, MemberData(nameof(Ways))]
    public async Task A_null_argument_is_refused(ServerKind kind, bool isAsync)
    {
        await using var cached = await Cached.CreateAsync(kind, isAsync, new() { WithTable = false });
        var cache = cached.Cache;
        var options = new DistributedCacheEntryOptions();
        if (isAsync)
        {
            await Refused("key", () => cache.GetAsync(null!));
            await Refused("key", () => cache.TryGetAsync(null!, new ArrayBufferWriter<byte>()).AsTask());
            await Refused("destination", () => cache.TryGetAsync("a", null!).AsTask());
            await Refused("key", () => cache.SetAsync(null!, [], options));
            await Refused("value", () => cache.SetAsync("a", null!, options));
            await Refused("options", () => cache.SetAsync("a", [], null!));
            await Refused("key", () => cache.SetAsync(null!, default(ReadOnlySequence<byte>), options).AsTask());
            await Refused("options", () => cache.SetAsync("a", default(ReadOnlySequence<byte>), null!).AsTask());
            await Refused("key", () => cache.RefreshAsync(null!));
            await Refused("key", () => cache.RemoveAsync(null!));
            return;
        }

        Assert.Throws<ArgumentNullException>("key", () => cache.Get(null!));
        Assert.Throws<ArgumentNullException>("key", () => cache.TryGet(null!, new ArrayBufferWriter<byte>()));
        Assert.Throws<ArgumentNullException>("destination", () => cache.TryGet("a", null!));
        Assert.Throws<ArgumentNullException>("key", () => cache.Set(null!, [], options));
        Assert.Throws<ArgumentNullException>("value", () => cache.Set("a", null!, options));
        Assert.Throws<ArgumentNullException>("options", () => cache.Set("a", [], null!));
        Assert.Throws<ArgumentNullException>("key", () => cache.Set(null!, default(ReadOnlySequence<byte>), options));
        Assert.Throws<ArgumentNullException>("options", () => cache.Set("a", default(ReadOnlySequence<byte>), null!));
        Assert.Throws<ArgumentNullException>("key", () => cache.Refresh(null!));
        Assert.Throws<ArgumentNullException>("key", () => cache.Remove(null!));
    }

    private static async Task Refused(string name, Func<Task> action) => await Assert.ThrowsAsync<ArgumentNullException>(name, action);

    private static bool IsEqual(byte[] value, byte[]? stored) => stored is not null && value.AsSpan().SequenceEqual(stored);

    // Pieces of growing length, among them empty ones.
    internal static ReadOnlySequence<byte> Pieces(byte[] value)
    {
        var first = new Piece(ReadOnlyMemory<byte>.Empty, null);
        var last = first;
        for (int at = 0, length = 0; at < value.Length; at += length, length = length * 2 + 1)
            last = new Piece(value.AsMemory(at, length = Math.Min(length, value.Length - at)), last);
        last = new Piece(ReadOnlyMemory<byte>.Empty, last);
        return new(first, 0, last, 0);
    }

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(ReadOnlyMemory<byte> memory, Piece? before)
        {
            Memory = memory;
            if (before is null)
                return;
            RunningIndex = before.RunningIndex + before.Memory.Length;
            before.Next = this;
        }
    }
}
