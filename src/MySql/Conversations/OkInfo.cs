using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;

namespace Slipstream.MySql.Conversations;

/// <summary>The info of the last OK_Packet: the server's informational text ("Rows matched: 1 …"). It is kept as bytes, because it is rarely read.</summary>
internal struct OkInfo()
{
    private byte[] _bytes = [];
    private int _length;

    /// <summary>Takes the info from an OK packet.</summary>
    /// <param name="rest">The bytes after the packet's warnings.</param>
    /// <param name="sessionTrack">True if CLIENT_SESSION_TRACK was agreed: the info has a length, and other data may follow.</param>
    public void Take(ReadOnlySpan<byte> rest, bool sessionTrack)
    {
        var reader = new ByteReader(rest);
        var info = rest.IsEmpty ? rest : sessionTrack ? reader.LengthEncodedBytes() : rest;
        if (info.Length > _bytes.Length)
            _bytes = new byte[Math.Max(info.Length, 64)];
        info.CopyTo(_bytes);
        _length = info.Length;
    }

    /// <summary>Removes the info.</summary>
    public void Clear() => _length = 0;

    /// <summary>Returns the info, or an empty string if there is none.</summary>
    public override readonly string ToString() => Encoding.UTF8.GetString(_bytes, 0, _length);
}
