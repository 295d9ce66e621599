using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Slipstream.BadPeers.Peers;

/// <summary>Keeps the log messages of a level and above.</summary>
public sealed class RecordedLogs(LogLevel least = LogLevel.Trace) : ILoggerFactory
{
    private readonly LogLevel _least = least;

    public ConcurrentQueue<(string Category, int Id, string Text)> Entries { get; } = [];

    public IReadOnlyList<string> Messages => [.. Entries.Select(static one => one.Text)];

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

    public void AddProvider(ILoggerProvider provider)
    {
        // There are no providers.
    }

    public void Dispose()
    {
        // There is nothing to release.
    }

    private sealed class Logger(RecordedLogs logs, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= logs._least;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            logs.Entries.Enqueue((category, eventId.Id, formatter(state, exception)));
    }
}
