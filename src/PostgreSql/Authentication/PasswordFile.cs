using System.Security.Cryptography;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Slipstream.PostgreSql.Authentication;

/// <summary>
/// Finds a password in a password file: lines of the form host:port:database:user:password, in which '*' stands for anything and '\' precedes a ':' or '\' that
/// belongs to a value. Source: PostgreSQL 18, 32.16 "The Password File".
/// </summary>
internal static class PasswordFile
{
    private const int Fields = 5;

    private const UnixFileMode Others =
        UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherWrite
            | UnixFileMode.OtherExecute;

    // A device or a wrong file may have no end.
    private const int MaxLength = 1 << 20;

    /// <summary>
    /// Returns whether other users can use the open file. Such a file is ignored, as in libpq. On Windows, the user's folder protects it.
    /// </summary>
    public static bool IsOpenToOthers(SafeFileHandle file) => !OperatingSystem.IsWindows() && (File.GetUnixFileMode(file) & Others) != 0;

    /// <summary>Opens the file.</summary>
    /// <remarks>
    /// The opening of a FIFO waits for a program that writes to it. Managed code cannot ask for the kind of a file, but FIFOs, sockets and devices have no
    /// length, and an empty file has no password. A user who may change the folder can still exchange the file for a FIFO between the two steps; no time
    /// limit then ends the wait.
    /// </remarks>
    /// <exception cref="IOException">The file is empty, is not a regular file, or cannot be opened.</exception>
    public static SafeFileHandle Open(string path)
    {
        var target = File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;
        if (new FileInfo(target).Length == 0)
            throw NotRegular();
        var file = File.OpenHandle(path);
        try
        {
            // Refuses files without positions, for which the name may have been exchanged.
            RandomAccess.GetLength(file);
            return file;
        }
        catch (NotSupportedException)
        {
            file.Dispose();
            throw NotRegular();
        }
    }

    private static IOException NotRegular() => new("It is empty, or not a regular file.");

    /// <summary>Returns the lines of the file.</summary>
    /// <exception cref="IOException">The file cannot be read, or has more than 1 MiB.</exception>
    public static string[] Lines(SafeFileHandle file)
    {
        var bytes = new byte[4096];
        var length = 0;
        while (RandomAccess.Read(file, bytes.AsSpan(length), length) is > 0 and var count)
        {
            length += count;
            if (length > MaxLength)
                throw new IOException("It has more than 1 MiB, which no password file has.");
            if (length < bytes.Length)
                continue;
            var larger = new byte[bytes.Length * 4];
            bytes.CopyTo(larger, 0);
            CryptographicOperations.ZeroMemory(bytes);
            bytes = larger;
        }

        var text = Encoding.UTF8.GetString(bytes, 0, length);
        CryptographicOperations.ZeroMemory(bytes);
        return text.TrimStart('\uFEFF').Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>Returns the password of the first line that matches; null if none does.</summary>
    /// <param name="lines">The lines of the file. A line without all five fields is ignored.</param>
    /// <param name="hosts">The names of the host, any of which may match.</param>
    /// <param name="port">The port.</param>
    /// <param name="database">The database.</param>
    /// <param name="user">The user.</param>
    public static string? Find(IEnumerable<string> lines, string[] hosts, int port, string database, string user)
    {
        Span<string> wanted = ["", port.ToString(System.Globalization.CultureInfo.InvariantCulture), database, user];
        foreach (var line in lines)
        {
            if (line.Length == 0 || line[0] == '#' || Split(line.TrimEnd('\r')) is not { } fields)
                continue;
            var matches = fields[0] is null || hosts.Contains(fields[0], StringComparer.Ordinal);
            for (var at = 1; at < wanted.Length && matches; at++)
                matches = fields[at] is null || fields[at] == wanted[at];
            if (matches)
                return fields[Fields - 1];
        }

        return null;
    }

    // A field that matches anything is null. So is the result for a line with too few fields. The password is the rest of the line.
    private static string?[]? Split(string line)
    {
        var fields = new string?[Fields];
        var (field, number, begin, isEscaped) = (new StringBuilder(), 0, 0, false);
        for (var at = 0; at < line.Length; at++)
        {
            if (line[at] == ':' && !isEscaped && number < Fields - 1)
            {
                fields[number++] = line[begin..at] == "*" ? null : field.ToString();
                field.Clear();
                begin = at + 1;
                continue;
            }

            isEscaped = line[at] == '\\' && !isEscaped;
            if (!isEscaped)
                field.Append(line[at]);
        }

        fields[number] = field.ToString();
        return number == Fields - 1 ? fields : null;
    }
}
