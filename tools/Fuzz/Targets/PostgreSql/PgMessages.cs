using System.Buffers.Binary;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.Fuzzing.Targets.Conversations;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Connect;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Types;
using Messages = Slipstream.PostgreSql.Conversations.Messages;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>Framing, and the messages that answer the commands of a session.</summary>
internal static class PgMessages
{
    private static readonly string[] Tags =
        [
            "SELECT 1", "INSERT 0 ", "UPDATE ", "MERGE ", "COPY ", "FETCH ", "MOVE ", "CALL", "DO", "DISCARD ALL", "DEALLOCATE ALL", "CREATE TABLE",
            "9223372036854775807"
        ];

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("pg-frames", ReadFrames) { Frames = new PgFrames(), Origin = PgSeeds.Streams, AllocationConstant = 128 * 1024 },
        new BytesTarget("pg-row-description", ReadRowDescription)
        {
            Origin = static () => PgSeeds.Bodies(BackendMessage.RowDescription),
            AllocationPerByte = 128
        },
        new BytesTarget("pg-data-row", new RowReader().Read)
        {
            Frames = new PgValues(4),
            Origin = RowReader.Seeds,
            AllocationPerByte = 256,
            AllocationConstant = 1 << 20
        },
        new BytesTarget("pg-error-response", ReadError)
        {
            Origin = static () => [.. PgSeeds.Bodies(BackendMessage.ErrorResponse), .. PgSeeds.Bodies(BackendMessage.NoticeResponse)]
        },
        new BytesTarget("pg-command-complete", ReadComplete)
        {
            Origin = static () => PgSeeds.Bodies(BackendMessage.CommandComplete),
            Tokens = [.. Tags.Select(static tag => System.Text.Encoding.ASCII.GetBytes(tag))]
        },
        new BytesTarget("pg-other-messages", ReadOther) { Origin = OtherSeeds },
    ];

    private static void ReadFrames(ReadOnlySpan<byte> input, StateSet states)
    {
        var wire = new Wire(new FuzzTransport(FuzzFraming.PostgreSql, PeerTrust.None), Math.Max(64, input.Length + 16));
        wire.In.AsSpan().Fill(states.Poison);
        input.CopyTo(wire.In);
        wire.End = input.Length;
        try
        {
            while (Messages.TryTake(wire, out var type, out var start, out var end))
            {
                Outcome.Holds(start >= Frame.HeaderLength && end >= start && end <= input.Length && wire.Start == end, "a message lies in what has arrived");
                states.Visit((int)type);
                states.Note((ulong)(end - start));
            }

            states.Visit(256, wire.Want);
            Outcome.Holds(wire.Want >= 0 && wire.Want <= Frame.MaxLength + 1L, "no more is wanted than a message has at most");
        }
        catch (ProtocolException)
        {
            states.Visit(257);
        }
    }

    private static void ReadRowDescription(ReadOnlySpan<byte> input, StateSet states)
    {
        ResultMetadata metadata;
        try
        {
            metadata = ResultMetadata.From(input, null, TypeCatalogue.BuiltIn);
        }
        catch (ProtocolException)
        {
            states.Visit(1);
            return;
        }

        states.Visit(2, metadata.Count);
        for (var i = 0; i < metadata.Count; i++)
        {
            states.Note(metadata.Name(i));
            states.Visit((int)metadata.Columns[i].Kind << 4 | (metadata.Columns[i].IsBinary ? 1 : 0) | 0x1000);
            states.Note(metadata.Field(i).TypeOid);
            Outcome.Holds(
                metadata.Ordinal(metadata.Name(i)) is >= 0 and var first && metadata.Name(first) == metadata.Name(i), "a column is found by its name");
        }

        Outcome.Holds(ReferenceEquals(ResultMetadata.From(input, metadata, TypeCatalogue.BuiltIn), metadata), "the same description is known again");
        Outcome.Holds(metadata.Best.Count == metadata.Count && metadata.Best.Formats.Length == metadata.Count, "the best formats are of the same columns");
        states.Visit(metadata.IsReadableInBinary ? 3 : 4);
    }

    private static void ReadError(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var error = ErrorResponse.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2);
        states.Visit(3, error.Severity.Length);
        states.Visit(error.EndsSession ? 4 : 5);
        states.Visit(6, error.Position);
        states.Visit(7, error.InternalPosition);
        foreach (
            var text in (string?[])[
                error.InvariantSeverity, error.SqlState, error.MessageText, error.Detail, error.Hint, error.InternalQuery, error.Where, error.SchemaName,
                error.TableName, error.ColumnName,
                error.DataTypeName, error.ConstraintName, error.File, error.Line, error.Routine])
        {
            states.Note(text ?? "");
            Outcome.Printable(text ?? "", (1 << 20) + 1);
        }

        states.Note(new PgException(error.ToServerError(), includeDetail: true).Message);
    }

    private static void ReadComplete(ReadOnlySpan<byte> input, StateSet states)
    {
        var reader = new ByteReader(input);
        var complete = CommandComplete.Read(ref reader);
        states.Visit(reader.Failed ? 1 : 2);
        states.Visit((int)complete.Kind + 16);
        states.Visit(3, complete.Rows);
        states.Visit((complete.DropsPrepared ? 4 : 5) << 1 | (complete.MayMoveNames ? 1 : 0));
        Outcome.Holds(reader.Failed || complete.RecordsAffected >= -1, "rows are counted from 0");
    }

    // The first byte chooses the message.
    private static void ReadOther(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var reader = new ByteReader(input[1..]);
        states.Visit(input[0]);
        switch ((BackendMessage)input[0])
        {
            case BackendMessage.ReadyForQuery:
                states.Note((byte)ReadyForQuery.Read(ref reader));
                break;
            case BackendMessage.ParameterStatus:
                var status = ParameterStatus.Read(ref reader);
                states.Note(status.Name);
                states.Note(status.Value);
                break;
            case BackendMessage.CopyInResponse:
                var invitation = CopyInResponse.Read(ref reader);
                states.Visit(invitation.IsBinary ? 300 : 301, invitation.Columns);
                break;
            case BackendMessage.ParameterDescription:
                foreach (var type in ParameterDescription.Read(ref reader))
                    states.Note(type);
                break;
            case BackendMessage.NegotiateProtocolVersion:
                var negotiation = NegotiateProtocolVersion.Read(ref reader);
                states.Visit(302, negotiation.ToString()!.Length);
                break;
            case BackendMessage.BackendKeyData:
                var key = BackendKeyData.Read(ref reader);
                states.Note(key.SecretKey);
                Outcome.Holds(
                    reader.Failed || key.SecretKey.Length is >= BackendKeyData.MinKeyLength and <= BackendKeyData.MaxKeyLength, "a key has 4 to 256 bytes");
                break;
            default:
                break;
        }

        states.Visit(reader.Failed ? 303 : 304, reader.Remaining);
    }

    private static List<byte[]> OtherSeeds()
    {
        var seeds = new List<byte[]>();
        foreach (var type in (BackendMessage[])[
            BackendMessage.ReadyForQuery, BackendMessage.ParameterStatus, BackendMessage.CopyInResponse, BackendMessage.ParameterDescription,
            BackendMessage.BackendKeyData
        ])
            seeds.AddRange(PgSeeds.Bodies(type).Take(20).Select(body => (byte[])[(byte)type, .. body]));
        seeds.Add([(byte)BackendMessage.ParameterDescription, 0, 2, 0, 0, 0, 23, 0, 0, 0, 25]);
        seeds.Add([(byte)BackendMessage.NegotiateProtocolVersion, 0, 3, 0, 0, 0, 0, 0, 1, .. "_pq_.x\0"u8]);
        return seeds;
    }

    /// <summary>
    /// A row with every type in both formats. The first byte chooses where the columns begin in a list of all types, the second the format of each by a
    /// pattern.
    /// </summary>
    private sealed class RowReader
    {
        private const int Columns = 8;

        private static readonly uint[] Types =
        [
            TypeOid.Bool, TypeOid.Bytea, TypeOid.InternalChar, TypeOid.Name, TypeOid.Int8, TypeOid.Int2, TypeOid.Int4, TypeOid.Text, TypeOid.Oid, TypeOid.Json,
            TypeOid.Float4, TypeOid.Float8, TypeOid.Money,
            TypeOid.BpChar, TypeOid.VarChar, TypeOid.Date, TypeOid.Time, TypeOid.Timestamp, TypeOid.TimestampTz, TypeOid.Interval, TypeOid.TimeTz,
            TypeOid.Numeric, TypeOid.Uuid, TypeOid.Jsonb, 600,
        ];

        private readonly ResultMetadata?[] _known = new ResultMetadata?[256 * 256];
        private readonly PgRow _row = new();

        public void Read(ReadOnlySpan<byte> input, StateSet states)
        {
            if (input.Length < 4)
                return;
            var metadata = _known[input[0] << 8 | input[1]] ??= Make(input[0], input[1]);
            var buffer = new byte[input.Length + 16];
            buffer.AsSpan().Fill(states.Poison);
            input.CopyTo(buffer.AsSpan(8));
            _row.Begin(metadata);
            try
            {
                _row.Set(buffer, 10, 8 + input.Length);
                for (var i = 0; i < Columns; i++)
                {
                    if (_row.IsNull(i))
                        continue;
                    Try(static (row, i) => row.GetValue(i), i, states);
                    Try(Getters[(i + input[0]) % Getters.Length], i, states);
                }
            }
            catch (ProtocolException)
            {
                states.Visit(1);
            }

            _row.Clear();
        }

        private static readonly Func<PgRow, int, object?>[] Getters =
        [
            static (row, i) => row.GetSpan(i).Length, static (row, i) => row.GetString(i), static (row, i) => row.GetDecimal(i),
            static (row, i) => row.GetDateTime(i), static (row, i) => row.GetFieldValue<TimeSpan>(i),
            static (row, i) => row.GetFieldValue<ReadOnlyMemory<byte>>(i).Length, static (row, i) => row.GetInt64(i), static (row, i) => row.GetDouble(i),
            static (row, i) => row.GetFieldValue<DateTimeOffset>(i),
            static (row, i) => row.GetFieldValue<DateOnly>(i), static (row, i) => row.GetByteArray(i).Length, static (row, i) => row.GetFieldValue<char>(i),
            static (row, i) => row.GetGuid(i), static (row, i) => row.GetBoolean(i),
            static (row, i) => row.GetFieldValue<TimeOnly>(i), static (row, i) => row.GetFieldValue<uint>(i),
        ];

        private void Try(Func<PgRow, int, object?> getter, int ordinal, StateSet states)
        {
            var (kind, isBinary) = _row.FormOf(ordinal);
            try
            {
                var value = getter(_row, ordinal);
                states.Visit(0x100 | (int)kind << 1 | (isBinary ? 1 : 0));
                if (value is string text)
                    states.Note(text);
                else if (value is byte[] bytes)
                    states.Note(bytes);
                else
                    states.Note((ulong)(value as IConvertible is { } number and not DateTime ? number.ToString(null)!.Length : 0));
            }
            catch (Exception exception) when (Documented.OfValues(exception))
            {
                states.Visit(0x200 | (int)kind << 1 | (isBinary ? 1 : 0));
            }
        }

        public static List<byte[]> Seeds()
        {
            var seeds = new List<byte[]>();
            foreach (var body in PgSeeds.Bodies(BackendMessage.DataRow))
            {
                // Takes as many values as there are columns here, from each position of a wide row.
                var values = ValuesOf(body);
                for (var from = 0; from < Math.Min(values.Count, Types.Length); from += 3)
                {
                    byte[] row = [0, Columns];
                    for (var i = 0; i < Columns; i++)
                        row = [.. row, .. from + i < values.Count ? values[from + i] : [0xFF, 0xFF, 0xFF, 0xFF]];
                    seeds.Add([(byte)from, (byte)(37 * from), .. row]);
                }

                if (seeds.Count > 200)
                    break;
            }

            return seeds;
        }

        private static List<byte[]> ValuesOf(byte[] body)
        {
            var values = new List<byte[]>();
            for (var at = 2; at + 4 <= body.Length;)
            {
                var length = Math.Max(0, BinaryPrimitives.ReadInt32BigEndian(body.AsSpan(at)));
                values.Add(body[at..(at + 4 + length)]);
                at += 4 + length;
            }

            return values;
        }

        private static ResultMetadata Make(byte from, byte formats)
        {
            var writer = new ByteWriter();
            writer.Int16BigEndian(Columns);
            for (var i = 0; i < Columns; i++)
            {
                writer.TextAndZero($"c{i}");
                writer.Int32BigEndian(0);
                writer.Int16BigEndian(0);
                writer.Int32BigEndian((int)Types[(from + i) % Types.Length]);
                writer.Int16BigEndian(-1);
                writer.Int32BigEndian(-1);
                writer.Int16BigEndian((short)(formats >> i & 1));
            }

            return ResultMetadata.From(writer.Written, null, TypeCatalogue.BuiltIn);
        }
    }
}
