using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql;

namespace Slipstream.Fuzzing.Targets.Conversations;

/// <summary>Exchanges of PostgreSQL beside commands, with the server's answers: COPY in both directions, waits for messages, the loading of types.</summary>
internal static class PgExchangeActs
{
    private static readonly byte[] CopyHeader = [0x50, 0x47, 0x43, 0x4F, 0x50, 0x59, 0x0A, 0xFF, 0x0D, 0x0A, 0x00, 0, 0, 0, 0, 0, 0, 0, 0];
    private static readonly byte[] CopyRow = [0, 2, 0, 0, 0, 4, 0, 0, 0, 7, 0, 0, 0, 1, (byte)'x'];

    /// <summary>Gets the acts on a connection that was opened without its types.</summary>
    public static (Act Act, byte[] Answers)[] WithoutTypes { get; } =
    [
        (new("copy-export", Export) { Allows = Refused },
        [
            .. Begun('H', 1, 2), .. Message('d', [.. CopyHeader, .. CopyRow]), .. Message('N', "SNOTICE\0C00000\0Mhear\0\0"u8), .. Message('d', CopyRow),
            .. Message('d', [0xFF, 0xFF]), .. Message('c'), .. Ended("COPY 2"), .. One,
        ]),
        (new("copy-export-twice", static async caller =>
        {
            for (var i = 0; i < 2; i++)
            {
                try
                {
                    await Export(caller);
                }
                catch (PgException) when (caller.Connection.State == System.Data.ConnectionState.Open)
                {
                    // The second one finds what the first one left.
                }
            }
        }) { Allows = Refused },
        [
            .. Begun('H', 1, 2), .. Message('d', [.. CopyHeader, .. CopyRow]), .. Message('E', "SERROR\0C22012\0Mno\0\0"u8), .. Message('Z', "I"u8),
            .. Begun('H', 1, 2), .. Message('d', CopyHeader), .. Message('d', [0xFF, 0xFF]), .. Message('c'), .. Ended("COPY 0"), .. One,
        ]),
        (new("copy-import", Import) { Allows = Refused }, [.. Begun('G', 1, 2), .. Ended("COPY 2"), .. One]),
        (new("copy-text-export", TextExport) { Allows = Refused },
            [.. Begun('H', 0, 1), .. Message('d', "a\tb\n"u8), .. Message('d', "c\\N\n"u8), .. Message('c'), .. Ended("COPY 2"), .. One]),
        (new("copy-text-import", TextImport) { Allows = Refused }, [.. Begun('G', 0, 1), .. Ended("COPY 1"), .. One]),
        (new("copy-raw", Raw) { Allows = Refused },
            [.. Begun('H', 1, 1), .. Message('d', CopyHeader), .. Message('d', [0xFF, 0xFF]), .. Message('c'), .. Ended("COPY 0"), .. One]),
        (new("wait", Wait),
        [
            .. Message('A', [0, 0, 1, 2, .. "channel\0payload\0"u8]), .. Message('N', "SNOTICE\0C00000\0Mhear\0\0"u8),
            .. Message('S', "application_name\0changed\0"u8),
        ]),
    ];

    /// <summary>Gets the acts with a login that loads the types.</summary>
    public static (Act Act, byte[] Answers)[] WithTypes { get; } =
    [
        (new("types", static async caller =>
        {
            await caller.Query("SELECT a, b, c FROM fuzz");
            if (caller.Verbs.IsAsynchronous)
                await ((PgConnection)caller.Connection).ReloadTypesAsync();
            else
                ((PgConnection)caller.Connection).ReloadTypes();
            await caller.Query("SELECT a, b, c FROM fuzz");
        }), [.. Types, .. Custom, .. Types, .. Custom]),
    ];

    // A query with three columns of types that were loaded: an enumeration, an array of a composite type, a range.
    private static byte[] Custom =>
    [
        .. Message('1'), .. Message('2'), .. Message('T', [0, 3, .. Column("a", 16384), .. Column("b", 16386), .. Column("c", 16387)]),
        .. Row("happy", """{"(1,a)"}""", "[a,b)"), .. Ended("SELECT 1"),
    ];

    private static byte[] One => [.. Message('1'), .. Message('2'), .. Message('T', [0, 1, .. Column("a", 23)]), .. Row("1"), .. Ended("SELECT 1")];

    private static byte[] Types =>
    [
        .. Message('1'), .. Message('2'), .. Row("1", "16384", "e", "0", "mood", "public"), .. Row("1", "16385", "c", "0", "pair", "public"),
        .. Row("1", "16386", "a", "16385", "_pair", "public"), .. Row("1", "16387", "r", "25", "textrange", "public"),
        .. Row("1", "16388", "d", "16388", "d", "public"),
        .. Row("2", "16384", "", "0", "sad", ""), .. Row("2", "16384", "", "0", "happy", ""), .. Row("3", "16385", "", "23", "number", ""),
        .. Row("3", "16385", "", "16385", "again", ""), .. Ended("SELECT 9"),
    ];

    // What the documentation of COPY says of a statement, or of rows, that do not suit the method.
    private static bool Refused(Exception exception) =>
        exception is ArgumentException or (InvalidOperationException and not ProtocolException) or NotSupportedException;

    private static async Task Export(Caller caller)
    {
        var connection = (PgConnection)caller.Connection;
        var isAsynchronous = caller.Verbs.IsAsynchronous;
        var exporter = isAsynchronous
            ? await connection.BeginBinaryExportAsync("COPY fuzz TO STDOUT (FORMAT binary)")
            : connection.BeginBinaryExport("COPY fuzz TO STDOUT (FORMAT binary)");
        try
        {
            while ((isAsynchronous ? await exporter.StartRowAsync() : exporter.StartRow()) is > 0 and var columns)
            {
                for (var i = 0; i < columns; i++)
                    ReadValue(exporter, i);
            }
        }
        finally
        {
            if (isAsynchronous)
                await exporter.DisposeAsync();
            else
                exporter.Dispose();
        }

        await caller.Scalar("SELECT 1");
    }

    private static void ReadValue(PgBinaryExporter exporter, int column)
    {
        if (!exporter.IsNull)
        {
            try
            {
                _ = column == 0 ? exporter.Read<int>() : exporter.Read<string>().Length;
                return;
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                // The value has another type; it is skipped.
            }
        }

        exporter.Skip();
    }

    private static async Task Import(Caller caller)
    {
        var connection = (PgConnection)caller.Connection;
        if (caller.Verbs.IsAsynchronous)
        {
            await using var importer = await connection.BeginBinaryImportAsync("COPY fuzz FROM STDIN (FORMAT binary)");
            for (var i = 0; i < 2; i++)
            {
                await importer.StartRowAsync();
                await importer.WriteAsync(i);
                await importer.WriteAsync("text");
            }

            await importer.CompleteAsync();
        }
        else
        {
            using var importer = connection.BeginBinaryImport("COPY fuzz FROM STDIN (FORMAT binary)");
            for (var i = 0; i < 2; i++)
            {
                importer.StartRow();
                importer.Write(i);
                importer.Write("text");
            }

            importer.Complete();
        }

        await caller.Scalar("SELECT 1");
    }

    private static async Task TextExport(Caller caller)
    {
        var connection = (PgConnection)caller.Connection;
        if (caller.Verbs.IsAsynchronous)
        {
            using var reader = await connection.BeginTextExportAsync("COPY fuzz TO STDOUT");
            await reader.ReadToEndAsync();
        }
        else
        {
            using var reader = connection.BeginTextExport("COPY fuzz TO STDOUT");
            reader.ReadToEnd();
        }

        await caller.Scalar("SELECT 1");
    }

    private static async Task TextImport(Caller caller)
    {
        var connection = (PgConnection)caller.Connection;
        if (caller.Verbs.IsAsynchronous)
        {
            await using var writer = await connection.BeginTextImportAsync("COPY fuzz FROM STDIN");
            await writer.WriteAsync("a\tb\n");
        }
        else
        {
            using var writer = connection.BeginTextImport("COPY fuzz FROM STDIN");
            writer.Write("a\tb\n");
        }

        await caller.Scalar("SELECT 1");
    }

    private static async Task Raw(Caller caller)
    {
        var connection = (PgConnection)caller.Connection;
        var buffer = new byte[7];
        if (caller.Verbs.IsAsynchronous)
        {
            await using var stream = await connection.BeginRawBinaryCopyAsync("COPY fuzz TO STDOUT (FORMAT binary)");
            while (await stream.ReadAsync(buffer) > 0)
                continue;
        }
        else
        {
            using var stream = connection.BeginRawBinaryCopy("COPY fuzz TO STDOUT (FORMAT binary)");
            while (stream.Read(buffer) > 0)
                continue;
        }

        await caller.Scalar("SELECT 1");
    }

    private static async Task Wait(Caller caller)
    {
        var connection = (PgConnection)caller.Connection;
        var seen = 0;
        connection.Notification += (_, e) => seen += e.Channel.Length + e.Payload.Length;
        connection.Notice += (_, e) => seen += e.Notice.MessageText.Length;
        for (var i = 0; i < 3; i++)
        {
            if (caller.Verbs.IsAsynchronous)
                await connection.WaitAsync();
            else
                connection.Wait();
        }
    }

    // ---------------------------------------------------------------- messages

    private static byte[] Message(char type, params ReadOnlySpan<byte> body)
    {
        var message = new byte[5 + body.Length];
        message[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(message.AsSpan(1), 4 + body.Length);
        body.CopyTo(message.AsSpan(5));
        return message;
    }

    private static byte[] Begun(char type, byte format, byte columns) =>
    [
        .. Message('1'), .. Message('2'),
        .. Message(type, [format, 0, columns, .. Enumerable.Repeat((byte[])[0, format], columns).SelectMany(static one => one)]),
    ];

    private static byte[] Ended(string tag) => [.. Message('C', [.. Encoding.ASCII.GetBytes(tag), 0]), .. Message('Z', "I"u8)];

    private static byte[] Column(string name, int type) =>
    [
        .. Encoding.ASCII.GetBytes(name), 0, 0, 0, 0, 0, 0, 0, (byte)(type >> 24), (byte)(type >> 16), (byte)(type >> 8), (byte)type, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0, 0,
    ];

    private static byte[] Row(params string[] values) =>
    [
        .. Message('D', [
            0, (byte)values.Length,
            .. values.SelectMany(static value => (byte[])[0, 0, 0, (byte)Encoding.UTF8.GetByteCount(value), .. Encoding.UTF8.GetBytes(value)])]),
    ];
}
