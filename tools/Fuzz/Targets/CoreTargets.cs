using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Options;
using Slipstream.MySql;
using Slipstream.MySql.Options;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Options;

namespace Slipstream.Fuzzing.Targets;

/// <summary>The targets of the providers' common code and of their connection strings.</summary>
internal static class CoreTargets
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("core-byte-reader", ReadBytes)
        {
            MostInput = 256,
            Origin = static () => [[.. Enumerable.Range(0, 64).Select(static i => (byte)(i * 7))], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]]
        },
        new BytesTarget("core-host-list", ReadHosts)
        {
            MostInput = 128,
            Tokens = [.. ((string[])[",", ":", "[", "]", ":3307", "::1", "[::1]:1", "a.example"]).Select(Encoding.UTF8.GetBytes)],
            Origin = static () => [.. ((string[])["a", "a,b:3307", "10.0.0.1", "::1", "[::1]:3307", "", "a:0", "a:65536"]).Select(Encoding.UTF8.GetBytes)],
        },
        new ConnectionStrings("mysql-connection-string", MySqlOptions.Table, static text => new MySqlConnectionStringBuilder(text), static builder =>
        {
            var settings = new MySqlSettings((MySqlConnectionStringBuilder)builder);
            return settings.PersistSecurityInfo ? "" : settings.ShownConnectionString;
        }),
        new ConnectionStrings("pg-connection-string", PgOptions.Table, static text => new PgConnectionStringBuilder(text), static builder =>
        {
            var settings = new PgSettings((PgConnectionStringBuilder)builder);
            return settings.PersistSecurityInfo ? "" : settings.ShownConnectionString;
        }),
    ];

    // A program of reads: the first bytes choose what is read from the rest.
    private static void ReadBytes(ReadOnlySpan<byte> input, StateSet states)
    {
        var split = input.Length / 3;
        var reader = new ByteReader(input[split..]);
        foreach (var step in input[..split])
        {
            var before = reader.Position;
            var failed = reader.Failed;
            switch (step % 16)
            {
                case 0: states.Note(reader.Byte()); break;
                case 1: states.Note(reader.UInt16()); break;
                case 2: states.Note(reader.UInt24()); break;
                case 3: states.Note(reader.UInt32()); break;
                case 4: states.Note(reader.UInt64()); break;
                case 5: states.Note((ulong)reader.Int16BigEndian()); break;
                case 6: states.Note((ulong)reader.Int32BigEndian()); break;
                case 7: states.Note((ulong)reader.Int64BigEndian()); break;
                case 8: states.Note(reader.Bytes(step >> 4)); break;
                case 9: states.Note(reader.Bytes((long)step << 60)); break;
                case 10: states.Note(reader.BytesToZero()); break;
                case 11: states.Note(reader.TextToZero()); break;
                case 12: states.Note(reader.Text(step >> 4)); break;
                case 13: states.Note((ulong)reader.Peek()); break;
                case 14: reader.Skip(step >> 4); break;
                default: reader.Skip(-(step >> 4)); break;
            }

            states.Visit(step % 16 << 1 | (reader.Failed ? 1 : 0));
            Outcome.Holds(
                reader.Position >= before && reader.Position <= input.Length - split && reader.Remaining == input.Length - split - reader.Position,
                "a reader stays inside its message and goes forward");
            Outcome.Holds(!failed || (reader.Failed && reader.Position == before), "a reader that has failed reads nothing more");
        }
    }

    private static void ReadHosts(ReadOnlySpan<byte> input, StateSet states)
    {
        try
        {
            var endpoints = HostList.Parse(Encoding.UTF8.GetString(input), 3306, "Server");
            states.Visit(1, endpoints.Length);
            foreach (var endpoint in endpoints)
            {
                states.Visit(2, endpoint.Port);
                Outcome.Holds(endpoint.Host.Length > 0 && endpoint.Port is > 0 and <= 65535, "an endpoint has a host and a port");
            }
        }
        catch (ArgumentException)
        {
            states.Visit(3);
        }
    }
}
