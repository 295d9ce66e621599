using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers.Hostile;

/// <summary>What a server does in one step of a login.</summary>
public enum Turn
{
    /// <summary>The server sends one message.</summary>
    Sends,

    /// <summary>The server receives one message.</summary>
    Receives,

    /// <summary>Both sides perform the TLS handshake.</summary>
    BeginsTls,
}

/// <summary>One step of a login, from the server's side.</summary>
/// <param name="Turn">Which side acts.</param>
/// <param name="Message">The message that the server sends (MySQL: the payload), given the last message that it received.</param>
public sealed record LoginStep(Turn Turn, Func<byte[], byte[]>? Message = null)
{
    public static LoginStep Send(byte[] message) => new(Turn.Sends, _ => message);

    public static LoginStep Receive { get; } = new(Turn.Receives);

    public static LoginStep Tls { get; } = new(Turn.BeginsTls);
}

/// <summary>A login as an honest server performs it, in steps that a hostile server omits, repeats, swaps or stops at.</summary>
/// <param name="Name">For the test's name.</param>
/// <param name="Victim">The provider that logs in.</param>
/// <param name="Options">The user, the password and the other settings of the connection string.</param>
/// <param name="Steps">From the first message to the last.</param>
public sealed record HonestLogin(string Name, Victim Victim, string Options, LoginStep[] Steps)
{
    /// <summary>The server's certificate for TLS.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>The password, which no unverified peer may receive.</summary>
    public required string Password { get; init; }

    /// <summary>Whether the peer is verified before the login begins: the method may then send the password itself.</summary>
    public bool MayReceivePassword { get; init; }

    /// <summary>From this step on, the server reports that the login has succeeded.</summary>
    public int EndAt { get; init; } = Steps.Length - 1;

    /// <summary>The last message of a server that does not know the password but claims to have proved itself; null if there is no such claim.</summary>
    public byte[]? Forgery { get; init; }

    /// <summary>
    /// The step with which the server has proved itself; −1 if it need not. The client may accept the login only after all steps up to this one have come, in
    /// this order.
    /// </summary>
    public int ProofAt { get; init; } = -1;

    public override string ToString() => Name;

    /// <summary>Reads a login that was recorded from a real server, with the account of the recording.</summary>
    public static HonestLogin FromRecording(string path)
    {
        var lines = File.ReadAllLines(path);
        var options = lines.Single(static line => line.StartsWith("options: ", StringComparison.Ordinal))["options: ".Length..];
        var isPostgreSql = path.Contains("postgresql", StringComparison.Ordinal);
        var passages = Passages(lines);
        var hasTls = passages.Any(static passage => passage.Speaker == 'T');
        List<LoginStep> steps = [];
        var isInTls = false;
        for (var i = 0; i < passages.Count; i++)
        {
            var (speaker, bytes) = passages[i];
            isInTls |= speaker == 'T';
            if (speaker == 'T')
                steps.Add(LoginStep.Tls);
            else if (speaker == 'C')
                steps.AddRange(Enumerable.Repeat(LoginStep.Receive, isPostgreSql ? 1 : Split(bytes, false).Count));
            else if (isPostgreSql && hasTls && !isInTls)
                steps.Add(LoginStep.Send(bytes));
            else
                steps.AddRange(Split(bytes, isPostgreSql).Select(LoginStep.Send));
            if (speaker == 'S' && IsEnd(bytes, isPostgreSql, steps.Count))
                break;
        }

        var words = options.Split(';').Where(static word => !word.StartsWith("SSL Mode", StringComparison.Ordinal));
        var mode = !hasTls ? isPostgreSql ? "SSL Mode=Disable" : "SSL Mode=None"
            : $"SSL Mode=VerifyFull;{(isPostgreSql ? "Root Certificate" : "SSL CA")}={Certificates.AuthorityFile}";
        var name = $"{Path.GetFileName(Path.GetDirectoryName(path))}, {Path.GetFileNameWithoutExtension(path)}";
        return new HonestLogin(name, isPostgreSql ? Victim.PostgreSql : Victim.MySql, $"{string.Join(';', words)};{mode}", [.. steps])
        {
            Certificate = hasTls ? Certificates.Server : null,
            MayReceivePassword = hasTls,
            EndAt = isPostgreSql ? steps.FindIndex(static step => step.Message?.Invoke([]) is [(byte)'R', 0, 0, 0, 8, 0, 0, 0, 0]) : steps.Count - 1,
            Password = words.FirstOrDefault(static word => word.StartsWith("Password=", StringComparison.Ordinal))?["Password=".Length..] ?? "",
        };
    }

    // MySQL: an OK after the greeting; PostgreSQL: ReadyForQuery.
    private static bool IsEnd(byte[] bytes, bool isPostgreSql, int steps) =>
        isPostgreSql ? bytes.Length >= 6 && bytes[^6] == 'Z' : steps > 2 && Split(bytes, false)[^1] is [0, ..];

    private static List<(char Speaker, byte[] Bytes)> Passages(string[] lines)
    {
        List<(char, byte[])> passages = [];
        List<byte> bytes = [];
        var speaker = ' ';
        foreach (var line in lines.Append(""))
        {
            if (line.Length > 8 && line[0] is 'S' or 'C' && line[1] == ':')
            {
                speaker = line[0];
                var digits = line[8..line.IndexOf('|', StringComparison.Ordinal)].Split(' ', StringSplitOptions.RemoveEmptyEntries);
                bytes.AddRange(digits.Select(static two => byte.Parse(two, NumberStyles.HexNumber, CultureInfo.InvariantCulture)));
            }
            else if (line == "T:")
                passages.Add(('T', []));
            else if (bytes.Count > 0)
            {
                passages.Add((speaker, [.. bytes]));
                bytes.Clear();
            }
        }

        return passages;
    }

    // MySQL: payloads, whose headers are created again; PostgreSQL: whole messages.
    private static List<byte[]> Split(byte[] bytes, bool isPostgreSql)
    {
        List<byte[]> messages = [];
        for (var at = 0; at < bytes.Length;)
        {
            var length =
                isPostgreSql ? 1 + BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(at + 1)) : 4 + (bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16);
            messages.Add(isPostgreSql ? bytes[at..(at + length)] : bytes[(at + 4)..(at + length)]);
            at += length;
        }

        return messages;
    }
}
