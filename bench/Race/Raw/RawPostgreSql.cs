using System.Buffers.Binary;
using System.Text;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Raw;

/// <summary>
/// PostgreSQL's protocol by hand, only for the statements of the race. "Text" is the unprepared form: Parse, Bind, Execute and Sync of the unnamed statement in
/// one send. "Prepared" omits the Parse. Values are binary in both forms, as in the providers.
/// </summary>
internal sealed class RawPostgreSql : RawClient
{
    private const int HeaderLength = 5;

    private int _statements;

    public override RawStatement Statement(string text, bool prepare)
    {
        var name = prepare ? "s" + ++_statements : "";
        var serverText = text switch
        {
            Statements.Insert => "INSERT INTO test VALUES ($1::int4,$2::int4,$3::int4),($4::int4,$5::int4,$6::int4),($7::int4,$8::int4,$9::int4)",
            Statements.WorldById => "SELECT id, randomnumber FROM world WHERE id = $1",
            _ => text,
        };
        var bytes = new List<byte>();
        if (prepare)
        {
            Socket.Write(Parse(name, serverText));
            Socket.Write(Sync());
            Socket.Send();
            while (Next(out _) != 'Z')
            {
            }
        }
        else
        {
            bytes.AddRange(Parse(name, serverText));
        }

        if (text is Statements.Insert or Statements.WorldById)
            return new RawStatement(name, prepare, [.. bytes], 0);

        bytes.AddRange(Message('B', [0, .. Terminated(name), 0, 0, 0, 0, 0, 1, 0, 1]));
        bytes.AddRange(ExecuteAll());
        bytes.AddRange(Sync());
        return new RawStatement(name, prepare, [.. bytes], 0);
    }

    public override void Execute(string text)
    {
        Socket.Write(Message('Q', Terminated(text)));
        Socket.Send();
        Finish();
    }

    public override long? Scalar(RawStatement statement)
    {
        Begin(statement);
        long? value = null;
        while (NextRow() is { Length: > 0 } row)
            value = BinaryPrimitives.ReadInt32BigEndian(row[2..]) < 0 ? null : BinaryPrimitives.ReadInt32BigEndian(row[6..]);
        return value;
    }

    public override long SumSecondColumn(RawStatement statement)
    {
        Begin(statement);
        var sum = 0L;
        while (NextRow() is { Length: > 0 } row)
            sum += BinaryPrimitives.ReadInt32BigEndian(row[14..]);
        return sum;
    }

    public override World WorldById(RawStatement statement, int id)
    {
        Socket.Write(statement.Bytes);
        WriteIntegers(statement, [id]);
        Socket.Send();
        var world = default(World);
        while (NextRow() is { Length: > 0 } row)
            world = new(BinaryPrimitives.ReadInt32BigEndian(row[6..]), BinaryPrimitives.ReadInt32BigEndian(row[14..]));
        return world;
    }

    public override void Fortunes(RawStatement statement, List<Fortune> fortunes)
    {
        Begin(statement);
        while (NextRow() is { Length: > 0 } row)
        {
            var length = BinaryPrimitives.ReadInt32BigEndian(row[10..]);
            fortunes.Add(new Fortune(BinaryPrimitives.ReadInt32BigEndian(row[6..]), Encoding.UTF8.GetString(row.Slice(14, length))));
        }
    }

    public override int Walk(RawStatement statement)
    {
        Begin(statement);
        var rows = 0;
        while (true)
        {
            Socket.Need(HeaderLength);
            var type = Socket.In[Socket.Position];
            if (type == 'E')
                Next(out _);
            Socket.Skip(1 + BinaryPrimitives.ReadInt32BigEndian(Socket.In.AsSpan(Socket.Position + 1)));
            if (type == 'Z')
                return rows;
            if (type == 'D')
                rows++;
        }
    }

    public override byte[] LargeValue(RawStatement statement)
    {
        Begin(statement);
        while (true)
        {
            Socket.Need(HeaderLength);
            if (Socket.In[Socket.Position] == 'D')
                break;
            Next(out _);
        }

        Socket.Need(HeaderLength + 6);
        var value = new byte[BinaryPrimitives.ReadInt32BigEndian(Socket.In.AsSpan(Socket.Position + HeaderLength + 2))];
        Socket.Position += HeaderLength + 6;
        Socket.ReadInto(value);
        Finish();
        return value;
    }

    public override void Insert(RawStatement statement, ReadOnlySpan<int> values)
    {
        Socket.Write(statement.Bytes);
        WriteIntegers(statement, values);
        Socket.Send();
        Finish();
    }

    public override void Dispose()
    {
        Socket.Written = 0;
        Socket.Write(Message('X', []));
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

    protected override void Handshake(Track track)
    {
        byte[] parameters = [0, 3, 0, 0, .. Terminated("user"), .. Terminated(track.User), .. Terminated("database"), .. Terminated(track.Database), 0];
        BinaryPrimitives.WriteInt32BigEndian(Socket.Reserve(4), parameters.Length + 4);
        Socket.Write(parameters);
        Socket.Send();

        var scram = new RawScram(track.Password);
        while (true)
        {
            var type = Next(out var body);
            if (type == 'Z')
                return;
            if (type != 'R')
                continue;
            var answer = BinaryPrimitives.ReadInt32BigEndian(body) switch
            {
                0 => null,
                10 => scram.First(),
                11 => scram.Final(Encoding.ASCII.GetString(body[4..])),
                12 => null,
                var method => throw new InvalidOperationException($"the floor does not know PostgreSQL's authentication method {method}"),
            };
            if (answer is null)
                continue;
            Socket.Write(Message('p', answer));
            Socket.Send();
        }
    }

    private static byte[] Parse(string name, string text) => Message('P', [.. Terminated(name), .. Terminated(text), 0, 0]);

    private static byte[] ExecuteAll() => Message('E', [0, 0, 0, 0, 0]);

    private static byte[] Sync() => Message('S', []);

    private static byte[] Terminated(string text) => [.. Encoding.UTF8.GetBytes(text), 0];

    private static byte[] Message(char type, ReadOnlySpan<byte> body)
    {
        var message = new byte[HeaderLength + body.Length];
        message[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(message.AsSpan(1), body.Length + 4);
        body.CopyTo(message.AsSpan(HeaderLength));
        return message;
    }

    /// <summary>Writes Bind, Execute and Sync of a statement with integers for parameters.</summary>
    private void WriteIntegers(RawStatement statement, ReadOnlySpan<int> values)
    {
        var start = Socket.Written;
        Socket.Reserve(HeaderLength)[0] = (byte)'B';
        Socket.WriteByte(0);
        Encoding.UTF8.GetBytes(statement.Text, Socket.Reserve(statement.Text.Length));
        Socket.WriteByte(0);
        Socket.Write([0, 1, 0, 1, 0, (byte)values.Length]);
        foreach (var value in values)
        {
            var place = Socket.Reserve(8);
            BinaryPrimitives.WriteInt32BigEndian(place, 4);
            BinaryPrimitives.WriteInt32BigEndian(place[4..], value);
        }

        Socket.Write([0, 1, 0, 1]);
        BinaryPrimitives.WriteInt32BigEndian(Socket.Out.AsSpan(start + 1), Socket.Written - start - 1);
        Socket.Write([(byte)'E', 0, 0, 0, 9, 0, 0, 0, 0, 0, (byte)'S', 0, 0, 0, 4]);
    }

    private void Begin(RawStatement statement)
    {
        Socket.Write(statement.Bytes);
        Socket.Send();
    }

    private void Finish()
    {
        while (Next(out _) != 'Z')
        {
        }
    }

    /// <summary>Returns the body of the next DataRow; empty after ReadyForQuery.</summary>
    private ReadOnlySpan<byte> NextRow()
    {
        while (true)
        {
            var type = Next(out var body);
            if (type == 'D')
                return body;
            if (type == 'Z')
                return [];
        }
    }

    private char Next(out ReadOnlySpan<byte> body)
    {
        Socket.Need(HeaderLength);
        var type = (char)Socket.In[Socket.Position];
        var length = BinaryPrimitives.ReadInt32BigEndian(Socket.In.AsSpan(Socket.Position + 1));
        Socket.Need(1 + length);
        body = Socket.In.AsSpan(Socket.Position + HeaderLength, length - 4);
        Socket.Position += 1 + length;
        if (type == 'E')
            throw new InvalidOperationException("the server says: " + MessageOf(body));
        return type;
    }

    // ErrorResponse: fields, each a letter and a terminated text; M is the message.
    private static string MessageOf(ReadOnlySpan<byte> fields)
    {
        while (fields.Length > 1)
        {
            var end = fields.IndexOf((byte)0);
            if (fields[0] == 'M')
                return Encoding.UTF8.GetString(fields[1..end]);
            fields = fields[(end + 1)..];
        }

        return "an error without a message";
    }
}
