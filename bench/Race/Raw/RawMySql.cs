using System.Buffers.Binary;
using System.Buffers.Text;
using System.Text;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Raw;

/// <summary>MySQL's protocol by hand, only for the statements of the race.</summary>
internal sealed class RawMySql : RawClient
{
    private const int HeaderLength = 4;
    private const int LargestPayload = 0xFFFFFF;
    private const byte ComQuit = 0x01;
    private const byte ComQuery = 0x03;
    private const byte ComStmtPrepare = 0x16;
    private const byte ComStmtExecute = 0x17;

    public override RawStatement Statement(string text, bool prepare)
    {
        if (!prepare)
            return new RawStatement(text, false, Packet(ComQuery, Encoding.UTF8.GetBytes(text)), 0);

        // Named parameters are an addition of the providers; the server supports only question marks.
        var serverText = text switch
        {
            Statements.Insert => "INSERT INTO test VALUES (?,?,?),(?,?,?),(?,?,?)",
            Statements.WorldById => "SELECT id, randomnumber FROM world WHERE id = ?",
            _ => text,
        };
        Socket.Write(Packet(ComStmtPrepare, Encoding.UTF8.GetBytes(serverText)));
        Socket.Send();
        var payload = ReadPacket();
        var id = BinaryPrimitives.ReadUInt32LittleEndian(payload[1..]);
        var definitions = BinaryPrimitives.ReadUInt16LittleEndian(payload[5..]) + BinaryPrimitives.ReadUInt16LittleEndian(payload[7..]);
        for (var i = 0; i < definitions; i++)
            ReadPacket();

        Span<byte> execute = stackalloc byte[9];
        BinaryPrimitives.WriteUInt32LittleEndian(execute, id);
        execute[5] = 1; // iteration count
        return new RawStatement(text, true, Packet(ComStmtExecute, execute), id);
    }

    public override void Execute(string text)
    {
        Socket.Write(Packet(ComQuery, Encoding.UTF8.GetBytes(text)));
        Socket.Send();
        if (ReadPacket()[0] == 0)
            return;
        SkipDefinitions(0);
        while (!SkipRow())
        {
        }
    }

    public override long? Scalar(RawStatement statement)
    {
        Begin(statement);
        long? value = null;
        while (NextRow() is { Length: > 0 } row)
        {
            if (statement.Prepared)
                value = (row[1] & 4) != 0 ? null : BinaryPrimitives.ReadInt32LittleEndian(row[2..]);
            else
                value = row[0] == 0xFB ? null : Integer(row.Slice(1, row[0]));
        }

        return value;
    }

    public override long SumSecondColumn(RawStatement statement)
    {
        Begin(statement);
        var sum = 0L;
        if (statement.Prepared)
        {
            while (NextRow() is { Length: > 0 } row)
                sum += BinaryPrimitives.ReadInt32LittleEndian(row[6..]);
        }
        else
        {
            while (NextRow() is { Length: > 0 } row)
            {
                var second = row[0] + 1;
                sum += Integer(row.Slice(second + 1, row[second]));
            }
        }

        return sum;
    }

    public override World WorldById(RawStatement statement, int id)
    {
        Socket.Written = HeaderLength;
        WriteIntegers(statement, [id]);
        SendPacket();
        SkipDefinitions(ReadPacket()[0]);
        var world = default(World);
        while (NextRow() is { Length: > 0 } row)
            world = new(BinaryPrimitives.ReadInt32LittleEndian(row[2..]), BinaryPrimitives.ReadInt32LittleEndian(row[6..]));
        return world;
    }

    public override void Fortunes(RawStatement statement, List<Fortune> fortunes)
    {
        Begin(statement);
        while (NextRow() is { Length: > 0 } row)
        {
            int id;
            int text;
            if (statement.Prepared)
            {
                id = BinaryPrimitives.ReadInt32LittleEndian(row[2..]);
                text = 6;
            }
            else
            {
                id = Integer(row.Slice(1, row[0]));
                text = row[0] + 1;
            }

            // Messages are shorter than 251 bytes, so their length takes one byte.
            fortunes.Add(new Fortune(id, Encoding.UTF8.GetString(row.Slice(text + 1, row[text]))));
        }
    }

    public override int Walk(RawStatement statement)
    {
        Begin(statement);
        var rows = 0;
        while (!SkipRow())
            rows++;
        return rows;
    }

    public override byte[] LargeValue(RawStatement statement)
    {
        Begin(statement);
        Socket.Need(HeaderLength + 11);
        var left = HeaderAt(out _);
        Socket.Position += HeaderLength;
        if (statement.Prepared)
        {
            Socket.Position += 2; // row header and null bitmap
            left -= 2;
        }

        var value = new byte[BinaryPrimitives.ReadInt64LittleEndian(Socket.In.AsSpan(Socket.Position + 1))];
        Socket.Position += 9;
        left -= 9;
        var filled = 0;
        while (true)
        {
            Socket.ReadInto(value.AsSpan(filled, left));
            filled += left;
            if (filled == value.Length)
                break;
            Socket.Need(HeaderLength);
            left = HeaderAt(out _);
            Socket.Position += HeaderLength;
        }

        while (!SkipRow())
        {
        }

        return value;
    }

    public override void Insert(RawStatement statement, ReadOnlySpan<int> values)
    {
        Socket.Written = HeaderLength;
        if (statement.Prepared)
        {
            WriteIntegers(statement, values);
        }
        else
        {
            Socket.WriteByte(ComQuery);
            Socket.Write("INSERT INTO test VALUES "u8);
            for (var i = 0; i < values.Length; i++)
            {
                Socket.Write(i % 3 != 0 ? ","u8 : i == 0 ? "("u8 : ",("u8);
                Utf8Formatter.TryFormat(values[i], Socket.Reserve(11), out var length);
                Socket.Written -= 11 - length;
                if (i % 3 == 2)
                    Socket.WriteByte((byte)')');
            }
        }

        SendPacket();
        Check.Equal(values.Length / 3, ReadPacket()[1]);
    }

    public override void Dispose()
    {
        Socket.Written = 0;
        Socket.Write(Packet(ComQuit, []));
        try
        {
            Socket.Send();
        }
        catch (System.Net.Sockets.SocketException)
        {
            // The server may have closed the connection first.
        }

        base.Dispose();
    }

    protected override void Handshake(Track track) => RawMySqlHandshake.Run(Socket, track, ReadPacketArray);

    internal static byte[] Packet(byte command, ReadOnlySpan<byte> payload)
    {
        var packet = new byte[HeaderLength + 1 + payload.Length];
        BinaryPrimitives.WriteInt32LittleEndian(packet, 1 + payload.Length);
        packet[HeaderLength] = command;
        payload.CopyTo(packet.AsSpan(HeaderLength + 1));
        return packet;
    }

    /// <summary>Writes the execution of a prepared statement with integers for parameters.</summary>
    private void WriteIntegers(RawStatement statement, ReadOnlySpan<int> values)
    {
        Socket.Write(statement.Bytes.AsSpan(HeaderLength));
        var nulls = (values.Length + 7) / 8;
        var place = Socket.Reserve(nulls + 1 + values.Length * 6);
        place.Clear();
        place[nulls] = 1; // new parameters are bound
        for (var i = 0; i < values.Length; i++)
        {
            place[nulls + 1 + i * 2] = 3; // MYSQL_TYPE_LONG
            BinaryPrimitives.WriteInt32LittleEndian(place[(nulls + 1 + values.Length * 2 + i * 4)..], values[i]);
        }
    }

    private void SendPacket()
    {
        BinaryPrimitives.WriteInt32LittleEndian(Socket.Out, Socket.Written - HeaderLength);
        Socket.Send();
    }

    private byte[] ReadPacketArray() => ReadPacket().ToArray();

    private void Begin(RawStatement statement)
    {
        Socket.Write(statement.Bytes);
        Socket.Send();
        SkipDefinitions(ReadPacket()[0]);
    }

    private void SkipDefinitions(int columns)
    {
        for (var i = 0; i < columns; i++)
        {
            Socket.Need(HeaderLength);
            Socket.Skip(HeaderLength + HeaderAt(out _));
        }
    }

    /// <summary>Returns the row's payload without the binary row's first byte; empty at the end.</summary>
    private ReadOnlySpan<byte> NextRow()
    {
        var payload = ReadPacket();
        return payload[0] == 0xFE && payload.Length < LargestPayload ? [] : payload;
    }

    /// <summary>Skips a row. Returns true at the end of the rows.</summary>
    private bool SkipRow()
    {
        Socket.Need(HeaderLength + 1);
        var length = HeaderAt(out var first);
        if (first == 0xFF)
            ReadPacket();
        Socket.Skip(HeaderLength + length);
        return first == 0xFE && length < LargestPayload;
    }

    private int HeaderAt(out byte first)
    {
        var header = Socket.In.AsSpan(Socket.Position, HeaderLength);
        first = Socket.Position + HeaderLength < Socket.In.Length ? Socket.In[Socket.Position + HeaderLength] : (byte)0;
        return header[0] | header[1] << 8 | header[2] << 16;
    }

    private ReadOnlySpan<byte> ReadPacket()
    {
        Socket.Need(HeaderLength);
        var length = HeaderAt(out _);
        Socket.Need(HeaderLength + length);
        var payload = Socket.In.AsSpan(Socket.Position + HeaderLength, length);
        Socket.Position += HeaderLength + length;
        if (payload[0] == 0xFF)
            throw new InvalidOperationException("the server says: " + Encoding.UTF8.GetString(payload[3..]));
        return payload;
    }
}
