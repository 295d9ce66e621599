using System.Text;

namespace Slipstream.PostgreSql.Authentication;

/// <summary>
/// Prepares a password for SCRAM as the server does: maps non-ASCII spaces to spaces, removes invisible characters, and replaces compatibility forms with the
/// usual ones. A password that the rules forbid is used unchanged; the server does the same, so both sides agree. Source: RFC 4013; src/common/saslprep.c.
/// </summary>
internal static class SaslPrep
{
    public static byte[] Apply(string password)
    {
        if (Ascii.IsValid(password))
            return Encoding.UTF8.GetBytes(password);

        var mapped = new StringBuilder(password.Length);
        foreach (var character in password)
        {
            if (IsNonAsciiSpace(character))
                mapped.Append(' ');
            else if (!IsMappedToNothing(character))
                mapped.Append(character);
        }

        try
        {
            var prepared = mapped.ToString().Normalize(NormalizationForm.FormKC);
            return Encoding.UTF8.GetBytes(prepared.Length == 0 || prepared.Any(char.IsControl) ? password : prepared);
        }
        catch (ArgumentException)
        {
            // A lone surrogate: the password is not valid text, so it is used unchanged.
            return Encoding.UTF8.GetBytes(password);
        }
    }

    // RFC 3454 table C.1.2.
    private static bool IsNonAsciiSpace(char character) =>
        character is '\u00A0' or '\u1680' or (>= '\u2000' and <= '\u200B') or '\u202F' or '\u205F' or '\u3000';

    // RFC 3454 table B.1.
    private static bool IsMappedToNothing(char character) =>
        character is '\u00AD' or '\u034F' or '\u1806' or (>= '\u180B' and <= '\u180D') or '\u200C' or '\u200D' or '\u2060' or (>= '\uFE00' and <= '\uFE0F')
            or '\uFEFF';
}
