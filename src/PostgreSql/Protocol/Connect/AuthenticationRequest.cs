using Slipstream.Core.Bytes;

namespace Slipstream.PostgreSql.Protocol.Connect;

/// <summary>
/// A step of the authentication that the server requests. All these messages have the type 'R'; the first integer distinguishes them.
/// <code>
/// AuthenticationOk                 'R' | length | 0
/// AuthenticationCleartextPassword  'R' | length | 3
/// AuthenticationMD5Password        'R' | length | 5 | salt (4)
/// AuthenticationGSS                'R' | length | 7
/// AuthenticationGSSContinue        'R' | length | 8 | data…
/// AuthenticationSSPI               'R' | length | 9
/// AuthenticationSASL               'R' | length | 10 | { mechanism\0 }… | \0
/// AuthenticationSASLContinue       'R' | length | 11 | data…
/// AuthenticationSASLFinal          'R' | length | 12 | data…
/// </code>
/// Source: PostgreSQL 18, 54.7 "Message Formats", Authentication….
/// </summary>
/// <param name="Kind">The kind of message.</param>
/// <param name="Data">The salt, or the server's GSS or SASL data; empty for <see cref="AuthenticationKind.Sasl"/>.</param>
/// <param name="Mechanisms">The names of the offered mechanisms in the server's order; empty for other kinds.</param>
internal readonly record struct AuthenticationRequest(AuthenticationKind Kind, byte[] Data, string[] Mechanisms)
{
    /// <summary>The most mechanisms. A server has two or three; the driver must not collect an endless list.</summary>
    public const int MaxMechanisms = 16;

    /// <summary>The most bytes of <see cref="Data"/>. The server's messages of SCRAM have about 100 bytes.</summary>
    public const int MaxDataLength = 4096;

    /// <summary>Reads the body. The reader fails if it is truncated, too long for its kind, or has more than <see cref="MaxMechanisms"/> names.</summary>
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
            case AuthenticationKind.GssContinue or AuthenticationKind.SaslContinue or AuthenticationKind.SaslFinal: data = reader.Rest().ToArray(); break;
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

/// <summary>The integer that distinguishes the Authentication… messages.</summary>
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
