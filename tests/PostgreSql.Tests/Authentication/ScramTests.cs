using System.Text;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Authentication;

namespace Slipstream.PostgreSql.Tests.Authentication;

public class ScramTests
{
    // RFC 7677, section 3. The RFC's client sends the user's name, PostgreSQL's omits it, so this test repeats the exchange with the resulting values.
    private const string Nonce = "rOprNGfwEbeRWgbNEkqO";
    private const string ServerFirst = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";

    [Fact]
    public void Keys_are_those_of_the_rfc()
    {
        var keys = ScramKeys.Make("pencil"u8, Convert.FromBase64String("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);
        var authMessage = Encoding.ASCII.GetBytes($"n=user,r={Nonce},{ServerFirst},c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0");
        var proof = System.Security.Cryptography.HMACSHA256.HashData(keys.StoredKey, authMessage);
        for (var i = 0; i < proof.Length; i++)
            proof[i] ^= keys.ClientKey[i];
        Assert.Equal("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=", Convert.ToBase64String(proof));
        Assert.Equal(
            "6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=",
            Convert.ToBase64String(System.Security.Cryptography.HMACSHA256.HashData(keys.ServerKey, authMessage)));
    }

    [Fact]
    public void Talks_through_and_verifies_the_server()
    {
        var scram = new ScramSha256(Nonce);
        Assert.Equal("n,,n=,r=rOprNGfwEbeRWgbNEkqO", Encoding.ASCII.GetString(scram.ClientFirst()));

        var final = Encoding.ASCII.GetString(Answer(scram, ServerFirst));
        Assert.StartsWith("c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=", final);

        scram.VerifyServer(Encoding.ASCII.GetBytes("v=" + ServerSignature(final)));
        Assert.True(scram.IsServerVerified);
    }

    [Fact]
    public void Refuses_a_server_that_does_not_know_the_password()
    {
        var scram = new ScramSha256(Nonce);
        Answer(scram, ServerFirst);
        var error = Assert.Throws<WireException>(() => scram.VerifyServer("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="u8));
        Assert.Equal(WireFailure.Forbidden, error.Failure);
        Assert.False(scram.IsServerVerified);
    }

    [Theory]
    [InlineData("v=")]
    [InlineData("e=other-error")]
    [InlineData("")]
    [InlineData("v=####")]
    public void Refuses_a_last_message_that_is_no_signature(string final)
    {
        var scram = new ScramSha256(Nonce);
        Answer(scram, ServerFirst);
        Assert.ThrowsAny<Exception>(() => scram.VerifyServer(Encoding.ASCII.GetBytes(final)));
        Assert.False(scram.IsServerVerified);
    }

    [Fact]
    public void Refuses_a_signature_before_anything_was_said() =>
        Assert.Throws<ProtocolException>(() => new ScramSha256(Nonce).VerifyServer("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="u8));

    [Theory]
    [InlineData("")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqOx")]
    [InlineData("r=other,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqOx,s=,i=4096")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqOx,s=*,i=4096")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=0")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=-1")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1000001")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=99999999999")]
    [InlineData("m=x,r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1")]
    [InlineData("r=rOprNGfwEbeRWgbNEkqO\u0001,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1")]
    public void Refuses_a_first_message_that_asks_for_what_must_not_be(string serverFirst) =>
        Assert.Throws<ProtocolException>(() => Answer(new ScramSha256(Nonce), serverFirst));

    [Fact]
    public void Refuses_a_nonce_or_salt_without_end()
    {
        Assert.Throws<ProtocolException>(() => Answer(new ScramSha256(Nonce), $"r={Nonce}{new string('x', 600)},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1"));
        Assert.Throws<ProtocolException>(() => Answer(new ScramSha256(Nonce), $"r={Nonce}x,s={Convert.ToBase64String(new byte[257])},i=1"));
    }

    [Fact]
    public void Channel_binding_puts_the_certificate_into_the_proof()
    {
        var scram = new ScramSha256(Nonce, "p=tls-server-end-point,,", [1, 2, 3]);
        Assert.StartsWith("p=tls-server-end-point,,n=,r=", Encoding.ASCII.GetString(scram.ClientFirst()));
        var expected = Convert.ToBase64String([.. "p=tls-server-end-point,,"u8, 1, 2, 3]);
        Assert.StartsWith($"c={expected},", Encoding.ASCII.GetString(Answer(scram, ServerFirst)));
    }

    [Fact]
    public void Keys_are_made_once_while_password_salt_and_count_stay()
    {
        var cache = new ScramKeyCache();
        byte[] salt = [1, 2, 3];
        var first = cache.Get("secret", salt, 10);
        Assert.Same(first, cache.Get("secret", salt, 10));
        Assert.NotSame(first, cache.Get("secret", salt, 11));
        Assert.NotEqual(first.ClientKey, cache.Get("other", salt, 10).ClientKey);
        Assert.NotEqual(first.ClientKey, cache.Get("secret", [1, 2, 4], 10).ClientKey);
    }

    [Theory]
    [InlineData("pencil", "pencil")]
    [InlineData("I\u00ADX", "IX")]
    [InlineData("a\u00A0b", "a b")]
    [InlineData("a\u0007b", "a\u0007b")]
    public void Passwords_are_prepared_as_the_server_does(string password, string prepared) =>
        Assert.Equal(Encoding.UTF8.GetBytes(prepared), SaslPrep.Apply(password));

    [Fact]
    public void Md5_hashes_twice() =>
        Assert.Equal("md5" + Twice("user", "secret", [1, 2, 3, 4]), Encoding.ASCII.GetString(Md5Password.Answer("user", "secret", [1, 2, 3, 4])));

    private static string Twice(string user, string password, byte[] salt)
    {
        var inner = Convert.ToHexStringLower(System.Security.Cryptography.MD5.HashData(Encoding.UTF8.GetBytes(password + user)));
        return Convert.ToHexStringLower(System.Security.Cryptography.MD5.HashData([.. Encoding.UTF8.GetBytes(inner), .. salt]));
    }

    private static byte[] Answer(ScramSha256 scram, string serverFirst) =>
        scram.ClientFinal(Encoding.Latin1.GetBytes(serverFirst), "pencil", new ScramKeyCache());

    private static string ServerSignature(string clientFinal)
    {
        var keys = ScramKeys.Make("pencil"u8, Convert.FromBase64String("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);
        var authMessage = $"n=,r={Nonce},{ServerFirst},{clientFinal[..clientFinal.IndexOf(",p=", StringComparison.Ordinal)]}";
        return Convert.ToBase64String(System.Security.Cryptography.HMACSHA256.HashData(keys.ServerKey, Encoding.ASCII.GetBytes(authMessage)));
    }
}
