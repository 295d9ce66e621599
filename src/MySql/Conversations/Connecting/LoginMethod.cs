using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Authentication;
using Slipstream.MySql.Protocol.Connect;

namespace Slipstream.MySql.Conversations;

/// <summary>An authentication method in progress, which answers the server's packets.</summary>
internal abstract class LoginMethod(string name, LoginContext login)
{
    /// <summary>Gets the method's name as the server sends it.</summary>
    public string Name => name;

    /// <summary>Gets whether the server's data have no header before them. MariaDB sends them so for methods that MySQL does not have.</summary>
    public virtual bool TakesRawPackets => false;

    /// <summary>
    /// Gets whether this side has sent everything that the method sends in answer to the server's random bytes. Before that, nothing that a server does is a
    /// proof: neither an OK, nor a claim to know the password.
    /// </summary>
    public bool HasAnswered { get; protected set; }

    /// <summary>Gets whether the server can prove its certificate with its stored form of the password, which this method never reveals.</summary>
    public virtual bool ProvesCertificate => false;

    protected LoginContext Login => login;

    protected byte[] Password => login.Password;

    /// <summary>Creates the method with the given name.</summary>
    /// <exception cref="WireException">The method is not supported.</exception>
    public static LoginMethod Create(string name, LoginContext login) => name switch
    {
        NativePassword.Name => new NativeMethod(login),
        CachingSha2.Name => new Sha2Method(name, login),
        RsaPassword.Sha256Name => new Sha2Method(name, login),
        Ed25519.Name => new Ed25519Method(login),
        Parsec.Name => new ParsecMethod(login),
        ClearPassword.Name => new ClearMethod(login),
        MethodNames.Dialog => new DialogMethod(login),
        Scram.Name => new ScramMethod(login),
        MethodNames.Gssapi or MethodNames.Kerberos => new KerberosMethod(name, login),
        _ when AuthenticationPlugins.TryGet(name, out var plugin) => new PluginMethod(plugin, login),
        _ => throw login.Forbidden(
            $"asks for the authentication method '{LoginContext.Printable(name)}', which the driver does not support", MethodNames.Advice(name)),
    };

    /// <summary>Returns the answer to the server's first data for this method.</summary>
    public abstract byte[] Begin(byte[] data);

    /// <summary>Returns the answer to further data of the server, or null if the server does not expect one.</summary>
    public virtual byte[]? Continue(byte[] data) =>
        throw new ProtocolException($"the next message of {name}", $"{data.Length} bytes that are not one");

    /// <summary>Completes the method after the server's OK. Throws if this side does not accept it.</summary>
    public void Complete()
    {
        if (!HasAnswered)
            throw Login.Forbidden(
                $"accepted the login before {LoginContext.Printable(Name)} was complete: it may not be the intended server",
                "check the server's address and the account's method");
        CheckServer();
    }

    /// <summary>Throws if the server has not proved what this method requires it to prove.</summary>
    protected virtual void CheckServer()
    {
        // Most methods prove nothing about the server.
    }

    /// <summary>Returns the server's stored form of the password.</summary>
    public virtual byte[] PasswordHash() => throw new InvalidOperationException($"{name} cannot prove a certificate.");

    protected void CheckNonce(byte[] nonce, int length)
    {
        if (nonce.Length != length)
            throw new ProtocolException($"a nonce of {length} bytes for {name}", $"one of {nonce.Length} bytes");
    }
}

internal sealed class NativeMethod(LoginContext login) : LoginMethod(NativePassword.Name, login)
{
    public override bool ProvesCertificate => true;

    public override byte[] Begin(byte[] data)
    {
        CheckNonce(data, InitialHandshake.NonceLength);
        HasAnswered = true;
        return NativePassword.Respond(data, Password);
    }

    public override byte[] PasswordHash() => NativePassword.HashTwice(Password);
}

internal sealed class Ed25519Method(LoginContext login) : LoginMethod(Ed25519.Name, login)
{
    public override bool ProvesCertificate => true;

    public override byte[] Begin(byte[] data)
    {
        CheckNonce(data, Ed25519.NonceLength);
        HasAnswered = true;
        return Ed25519.Respond(data, Password);
    }

    public override byte[] PasswordHash() => Ed25519.PublicKey(Password);
}

internal sealed class ParsecMethod(LoginContext login) : LoginMethod(Parsec.Name, login)
{
    private byte[] _nonce = [];
    private byte[] _hash = [];

    public override bool TakesRawPackets => true;

    public override bool ProvesCertificate => true;

    public override byte[] Begin(byte[] data)
    {
        CheckNonce(data, Parsec.NonceLength);
        _nonce = data;
        return [];
    }

    public override byte[]? Continue(byte[] data)
    {
        if (HasAnswered)
            return base.Continue(data);
        if (!Parsec.IsExtendedSalt(data))
            throw new ProtocolException($"a salt with a cost of at most {Parsec.MaxCost} (1,024 · 2^{Parsec.MaxCost} iterations)", $"{data.Length} bytes "
                + "that are not one");
        var answer = Parsec.Respond(_nonce, RandomNumberGenerator.GetBytes(Parsec.NonceLength), data, Password, Login.Options.LoginToken, out var publicKey);
        _hash = [.. data, .. publicKey];
        HasAnswered = true;
        return answer;
    }

    // Empty before the salt arrives, and any peer can compute a proof from nothing: callers check HasAnswered first.
    public override byte[] PasswordHash() => HasAnswered ? _hash : base.PasswordHash();
}

internal sealed class ClearMethod(LoginContext login) : LoginMethod(ClearPassword.Name, login)
{
    public override byte[] Begin(byte[] data)
    {
        if (!Login.MaySendPassword(byOption: true))
        {
            throw Login.Forbidden(
                "asks for the password in clear text (mysql_clear_password), but the connection does not use verified TLS",
                "use SSL Mode=VerifyCA or VerifyFull, or a unix socket; for a server on this machine, Allow Cleartext Password=true allows it");
        }

        HasAnswered = true;
        return ClearPassword.Respond(Password);
    }
}

/// <summary>
/// dialog of MariaDB and of MySQL's PAM: the server sends prompts as on a terminal.
/// <code>
/// S: kind of prompt (1): 2 for a name, 4 for a password, plus 1 if it is the last | text
/// C: answer, a zero
/// </code>
/// The answers are the passwords in their order; the prompts are not read.
/// </summary>
internal sealed class DialogMethod(LoginContext login) : LoginMethod(MethodNames.Dialog, login)
{
    private const int MaxQuestions = 3;
    private int _asked;

    public override bool TakesRawPackets => true;

    public override byte[] Begin(byte[] data) => Reply();

    public override byte[] Continue(byte[] data) => Reply();

    private byte[] Reply()
    {
        if (!Login.MaySendPassword(byOption: true))
        {
            throw Login.Forbidden(
                "asks for the password in clear text (dialog, PAM), but the connection does not use verified TLS",
                "use SSL Mode=VerifyCA or VerifyFull, or a unix socket; for a server on this machine, Allow Cleartext Password=true allows it");
        }

        if (_asked == MaxQuestions)
            throw new ProtocolException($"at most {MaxQuestions} PAM prompts", "one more");
        HasAnswered = true;
        return ClearPassword.Respond(Login.PasswordOf(_asked++));
    }
}

internal sealed class ScramMethod(LoginContext login) : LoginMethod(Scram.Name, login)
{
    private Scram? _scram;

    public override byte[] Begin(byte[] data)
    {
        var mechanism = Encoding.Latin1.GetString(data).TrimEnd('\0');
        _scram = Scram.Create(mechanism, Login.User)
            ?? throw Login.Forbidden(
                $"asks for the mechanism '{LoginContext.Printable(mechanism)}' of {Name}, which the driver does not support",
                "set authentication_ldap_sasl_auth_method_name to SCRAM-SHA-256 on the server");
        return _scram.ClientFirst();
    }

    public override byte[]? Continue(byte[] data)
    {
        if (!HasAnswered)
        {
            HasAnswered = true;
            return _scram!.ClientFinal(data, Password, Login.Options.ScramMinIterations, Login.Peer);
        }

        return _scram!.VerifyServer(data) ? null : throw NotVerified();
    }

    protected override void CheckServer()
    {
        if (_scram is not { IsServerVerified: true })
            throw NotVerified();
    }

    private WireException NotVerified() => Login.Forbidden(
        "did not prove that it knows the password: it may not be the intended server", "check the server's address and its LDAP directory");
}

/// <summary>
/// auth_gssapi_client of MariaDB and authentication_kerberos_client of MySQL: an exchange of Kerberos tokens.
/// <code>
/// MariaDB: S: principal name, a zero, mechanism, a zero
/// MySQL:   S: length (2) | principal name | length (2) | realm of the user
/// </code>
/// </summary>
internal sealed class KerberosMethod(string name, LoginContext login) : LoginMethod(name, login)
{
    private const int MaxTokens = 10;
    private INegotiation? _negotiation;
    private int _tokens;

    public override bool TakesRawPackets => true;

    public override byte[] Begin(byte[] data)
    {
        var (target, realm) = Read(data);
        if (Login.Options.ServerSpn is { Length: > 0 } own)
            target = own;
        if (Login.Trust is not (PeerTrust.Verified or PeerTrust.UnixSocket))
        {
            // An unverified peer would choose the service of the ticket, to which it could forward the ticket, and the realm whose KDC handles the password.
            if (Login.Options.ServerSpn.Length == 0)
            {
                throw Login.Forbidden(
                    $"asks for Kerberos ({Name}) with a service name of its own choice, but the server is not verified",
                    "set Server SPN to the service's name, or verify the server (SSL Mode=VerifyCA or VerifyFull)");
            }

            realm = target.LastIndexOf('@') is >= 0 and var at ? target[(at + 1)..] : "";
        }

        if (target.Length == 0)
            throw Login.Forbidden($"asks for {Name} without the name of its service", "set Server SPN to the service's name");
        try
        {
            _negotiation = Login.Options.Negotiations(target, Login.User, Name == MethodNames.Kerberos ? Login.PasswordText : "", realm);
            return Next([]) ?? throw Failed("no token");
        }
        catch (Exception exception) when (exception is PlatformNotSupportedException or System.ComponentModel.Win32Exception or DllNotFoundException)
        {
            throw Login.Forbidden($"asks for Kerberos ({Name}), which is not installed on this machine", "install its library (libgssapi-krb5-2), or log in "
                + "as a user with a password", exception);
        }
    }

    public override byte[]? Continue(byte[] data) => _negotiation is { IsCompleted: true } || ++_tokens > MaxTokens
        ? throw new ProtocolException("the end of the Kerberos exchange", $"another token of {data.Length} bytes")
        : Next(data);

    protected override void CheckServer()
    {
        var isCompleted = _negotiation is { IsCompleted: true };
        _negotiation?.Dispose();
        if (!isCompleted)
            throw Login.Forbidden("accepted the login before it proved its identity", "check the server's address");
    }

    private byte[]? Next(ReadOnlySpan<byte> incoming)
    {
        var token = _negotiation!.Next(incoming, out var problem);
        HasAnswered = true;
        return problem is null ? token : throw Failed(problem);
    }

    private WireException Failed(string problem)
    {
        _negotiation?.Dispose();
        return Login.Forbidden($"asks for Kerberos ({Name}), which failed on this machine ({problem})", "get a ticket (kinit), or check the name of the "
            + "service (Server SPN)");
    }

    private (string Target, string Realm) Read(byte[] data)
    {
        if (Name == MethodNames.Gssapi)
        {
            var end = data.AsSpan().IndexOf((byte)0);
            return (Encoding.UTF8.GetString(end < 0 ? data : data.AsSpan(0, end)), "");
        }

        var reader = new ByteReader(data);
        var target = reader.Text(reader.UInt16());
        var realm = reader.Text(reader.UInt16());
        return reader.Failed ? throw new ProtocolException("the name of a service and a realm", $"{data.Length} bytes without them") : (target, realm);
    }
}

/// <summary>A method that the user has registered. It may reveal the password, so it is never used with a server that is not proved.</summary>
internal sealed class PluginMethod(IAuthenticationPlugin plugin, LoginContext login) : LoginMethod(plugin.Name, login)
{
    public override bool TakesRawPackets => true;

    public override byte[] Begin(byte[] data) => Ask(data);

    public override byte[] Continue(byte[] data) => Ask(data);

    private byte[] Ask(byte[] data)
    {
        HasAnswered = true;
        if (plugin is not IAuthenticationPlugin3 third)
            return Copy(plugin.CreateResponse(Login.PasswordText, data));
        third.CreateResponseAndPasswordHash(Login.PasswordText, data, out var response, out _);
        return Copy(response);
    }

    // The sent bytes are erased afterwards: a copy keeps the plug-in's own array intact.
    private static byte[] Copy(byte[] response) => [.. response];
}
