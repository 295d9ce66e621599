namespace Slipstream.MySql;

/// <summary>Opens a local file for loading. After all links are resolved, the file must be below the allowed directory.</summary>
internal static class LocalFile
{
    private static readonly StringComparison Comparison = OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;

    /// <summary>Opens a file for reading, wherever it is.</summary>
    /// <param name="name">Path of the file.</param>
    /// <param name="options">Options for the stream.</param>
    /// <exception cref="MySqlException">The file cannot be opened.</exception>
    public static FileStream Open(string name, FileOptions options)
    {
        try
        {
            return new FileStream(name, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0, options);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new MySqlException(MySqlErrorCode.None, $"The file '{name}' cannot be read: {exception.Message}", exception);
        }
    }

    /// <summary>Opens the file for reading.</summary>
    /// <param name="name">Path of the file.</param>
    /// <param name="directory">The allowed directory.</param>
    /// <param name="options">Options for the stream.</param>
    /// <exception cref="NotSupportedException">The file is outside the directory.</exception>
    /// <exception cref="MySqlException">The file cannot be opened.</exception>
    public static FileStream Open(string name, string directory, FileOptions options)
    {
        try
        {
            var allowed = Path.TrimEndingDirectorySeparator(Real(directory));
            var file = Real(name);
            if (!file.StartsWith(allowed, Comparison) || (file[allowed.Length..] is not ['/' or '\\', ..] && !Path.EndsInDirectorySeparator(allowed)))
                throw new NotSupportedException($"The file '{name}' is not in the directory of Allow Load Local Infile In Path: move it there, or open it in "
                    + "the application and set SourceStream (with Allow Load Local Infile=true).");
            return new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0, options);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new MySqlException(MySqlErrorCode.FileNotFound, $"The file '{name}' cannot be read: {exception.Message}", exception);
        }
    }

    // Returns the path with the links of all its parts resolved: a link inside the directory must not lead out of it.
    private static string Real(string path)
    {
        path = Path.GetFullPath(path);
        var real = Path.GetPathRoot(path)!;
        foreach (var part in path[real.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries))
        {
            real = Path.Combine(real, part);
            FileSystemInfo link = Directory.Exists(real) ? new DirectoryInfo(real) : new FileInfo(real);
            if (link.ResolveLinkTarget(returnFinalTarget: true) is { } target)
                real = Real(target.FullName);
        }

        return real;
    }
}
