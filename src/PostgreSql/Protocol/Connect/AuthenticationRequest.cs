using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// What the server wants to see before it lets the user in. All have the type 'R'; the first integer tells them apart.
/// <code>
/// AuthenticationOk                 'R' | length | 0
/// AuthenticationCleartextPassword  'R' | length | 3
/// AuthenticationMD5Password        'R' | length | 5 | salt (4)
/// AuthenticationSASL               'R' | length | 10 | { mechanism\0 }… | \0
/// AuthenticationSASLContinue       'R' | length | 11 | data…
/// AuthenticationSASLFinal          'R' | length | 12 | data…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Authentication….
/// </summary>
/// <param name="Kind">Which of them.</param>
/// <param name="Data">The salt, the server's words, or for <see cref="AuthenticationKind.Sasl"/> nothing.</param>
/// <param name="Mechanisms">The names offered, in the server's order; empty for other kinds.</param>
internal readonly record struct AuthenticationRequest(AuthenticationKind Kind, byte[] Data, string[] Mechanisms)
{
    /// <summary>A server has two or three; a list without end must not be collected.</summary>
    public const int MaxMechanisms = 16;

    /// <summary>The server's words of SCRAM have about 100 bytes.</summary>
    public const int MaxDataLength = 4096;

    /// <summary>Reads the body. The reader fails if it is cut short, too long for its kind, or of more than <see cref="MaxMechanisms"/> names.</summary>
    public static AuthenticationRequest Read(ref ByteReader reader)
    {
        var kind = (AuthenticationKind)reader.Int32BigEndian();
        if (reader.Remaining > MaxDataLength)
            reader.Fail();
        byte[] data = [];
        string[] mechanisms = [];
        switch (kind)
        {
            case AuthenticationKind.Md5Password: data = reader.Bytes(4).ToArray(); break;
            case AuthenticationKind.SaslContinue or AuthenticationKind.SaslFinal: data = reader.Rest().ToArray(); break;
            case AuthenticationKind.Sasl: mechanisms = ReadMechanisms(ref reader); break;
            default: break;
        }

        return new(kind, data, mechanisms);
    }

    private static string[] ReadMechanisms(ref ByteReader reader)
    {
        var names = new List<string>();
        while (true)
        {
            var name = reader.TextToZero();
            if (reader.Failed || name.Length == 0)
                return [.. names];
            if (names.Count == MaxMechanisms)
                reader.Fail();
            names.Add(name);
        }
    }
}

/// <summary>The integer that tells the Authentication… messages apart.</summary>
internal enum AuthenticationKind
{
    Ok = 0,
    KerberosV5 = 2,
    CleartextPassword = 3,
    Md5Password = 5,
    Gss = 7,
    GssContinue = 8,
    Sspi = 9,
    Sasl = 10,
    SaslContinue = 11,
    SaslFinal = 12,
}
