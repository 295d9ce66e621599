using System.Text;
using Slipstream.Core.Bytes;

namespace Slipstream.MySql.Protocol.Responses;

/// <summary>
/// The session state information of an OK packet: the changes that a statement made to the session.
/// <code>
/// { type (1) | data (lenenc string) } …
/// 00 system variables: { name (lenenc string) | value (lenenc string) } …
/// 01 schema: name (lenenc string)
/// 02 state change: 1 or 0 (one character, without a length of its own)
/// 03 GTIDs: encoding (1) | set (lenenc string)
/// 04 transaction characteristics (lenenc string)
/// 05 transaction state: eight letters (lenenc string)
/// </code>
/// Source: "OK_Packet", "Session State Information" (page_protocol_basic_ok_packet_sessinfo).
/// </summary>
internal struct SessionChanges
{
    private ulong _transaction;

    private static ReadOnlySpan<byte> LastGtid => "last_gtid"u8;

    /// <summary>Gets the new default database, or null if it did not change.</summary>
    public string? Schema { get; private set; }

    /// <summary>
    /// Gets the global transaction identifiers of the transactions that have ended, or null if the server did not report any. MariaDB reports the last one as
    /// the variable last_gtid, which is not a change of the session.
    /// </summary>
    public string? Gtids { get; private set; }

    /// <summary>Gets whether any session state that the server tracks changed.</summary>
    public bool StateChanged { get; private set; }

    /// <summary>Gets the transaction state as eight letters ("T_______": a transaction is open), or null if the server did not report it.</summary>
    // Stored as bytes: every answer inside a transaction has the state, and reading it must not allocate.
    public readonly string? TransactionState => _transaction == 0 ? null : Encoding.ASCII.GetString(BitConverter.GetBytes(_transaction));

    /// <summary>Gets whether no transaction is open and no table is locked, or null if the server did not report the transaction state.</summary>
    public readonly bool? IsIdle => _transaction == 0 ? null : _transaction == Idle;

    /// <summary>Gets the statements that would repeat the transaction's characteristics, or null if the server did not report them.</summary>
    public string? TransactionCharacteristics { get; private set; }

    private static ulong Idle => BitConverter.ToUInt64("________"u8);

    /// <summary>Gets the changed system variables with their new values in the order of the packet, or null if there are none.</summary>
    public List<KeyValuePair<string, string>>? Variables { get; private set; }

    /// <summary>Reads the info and the state after <see cref="Ok.Read"/>. Call it if the status has <see cref="ServerStatus.SessionStateChanged"/>.</summary>
    /// <remarks>Unknown types are skipped, because new servers add types.</remarks>
    public static SessionChanges Read(ref ByteReader reader)
    {
        var changes = new SessionChanges();
        reader.LengthEncodedBytes();
        var all = new ByteReader(reader.LengthEncodedBytes());
        while (all.Remaining > 0 && !all.Failed)
        {
            var type = all.Byte();
            var data = new ByteReader(all.LengthEncodedBytes());
            changes.Take(type, ref data);
            if (data.Failed)
                all.Fail();
        }

        if (all.Failed)
            reader.Fail();
        return changes;
    }

    private void Take(byte type, ref ByteReader data)
    {
        switch (type)
        {
            case 0:
                // MySQL sends one pair per entry; MariaDB can send several pairs in one entry.
                do
                {
                    var name = data.LengthEncodedBytes();
                    var value = data.LengthEncodedBytes();
                    if (data.Failed)
                        break;
                    if (name.SequenceEqual(LastGtid))
                        Gtids = Encoding.UTF8.GetString(value);
                    else
                        (Variables ??= []).Add(new(Encoding.UTF8.GetString(name), Encoding.UTF8.GetString(value)));
                }
                while (data.Remaining > 0 && !data.Failed);
                break;
            case 1:
                Schema = data.LengthEncodedText();
                break;
            case 2:
                StateChanged = data.Rest() is [(byte)'1'];
                break;
            case 3 when data.Peek() == 0:
                data.Skip(1);
                Gtids = data.LengthEncodedText();
                break;
            case 4:
                TransactionCharacteristics = data.LengthEncodedText();
                break;
            case 5:
                if (data.LengthEncodedBytes() is { Length: sizeof(ulong) } letters)
                    _transaction = BitConverter.ToUInt64(letters);
                else
                    data.Fail();
                break;
        }
    }
}
