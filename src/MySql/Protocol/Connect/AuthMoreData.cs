using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Connect;

/// <summary>
/// Protocol::AuthMoreData: further data of an authentication method.
/// <code>
/// 01 | data…
/// </code>
/// Source: page_protocol_connection_phase_packets_protocol_auth_more_data, and for caching_sha2_password page_caching_sha2_authentication_exchanges.
/// </summary>
internal readonly ref struct AuthMoreData
{
    /// <summary>The packet's first byte.</summary>
    public const byte Header = 0x01;

    private AuthMoreData(ReadOnlySpan<byte> data) => Data = data;

    /// <summary>Gets the data. In the RSA exchanges, they are the server's public key as PEM text.</summary>
    public ReadOnlySpan<byte> Data { get; }

    /// <summary>caching_sha2_password: true if the scramble matched the server's cache. OK follows.</summary>
    public bool IsFastSuccess => Data is [3];

    /// <summary>caching_sha2_password: true if the server has no cache entry and needs the password itself.</summary>
    public bool IsFullAuthenticationNeeded => Data is [4];

    /// <summary>Reads the body after the header byte.</summary>
    public static AuthMoreData Read(ref ByteReader reader)
    {
        if (reader.Remaining == 0)
            reader.Fail();
        return new(reader.Rest());
    }
}
