namespace Slipstream.Recorder.Replay;

/// <summary>
/// Removes the connection attributes of MySQL's HandshakeResponse, which contain the process's number and the system's name. They are the only bytes of a
/// client that differ from run to run.
/// </summary>
public static class HandshakeAttributes
{
    private const int FixedLength = 32;
    private const uint ConnectWithDatabase = 0x8;
    private const uint PluginAuthentication = 0x80000;

    /// <summary>Returns the client's bytes, without packet length and attributes if they begin with a HandshakeResponse; otherwise unchanged.</summary>
    public static byte[] Remove(byte[] said)
    {
        ArgumentNullException.ThrowIfNull(said);
        if (said.Length <= 4 + FixedLength)
            return said;
        var length = said[0] | said[1] << 8 | said[2] << 16;
        var payload = said.AsSpan(4);

        // sequence_id 1, or 2 after an SSLRequest; 19 zeros after the character set
        if (said[3] is not (1 or 2) || length > payload.Length || length <= FixedLength || payload[9..28].ContainsAnyExcept((byte)0))
            return said;
        var capabilities = BitConverter.ToUInt32(payload);
        var at = FixedLength + payload[FixedLength..].IndexOf((byte)0) + 1;
        at += payload[at] + 1;
        if ((capabilities & ConnectWithDatabase) != 0)
            at += payload[at..].IndexOf((byte)0) + 1;
        if ((capabilities & PluginAuthentication) != 0)
            at += payload[at..].IndexOf((byte)0) + 1;
        return [said[3], .. payload[..at], .. payload[length..]];
    }
}
