using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Slipstream.BadPeers.Peers;

/// <summary>Keeps all log messages.</summary>
public sealed class RecordedLogs : ILoggerFactory
{
    public ConcurrentQueue<(string Category, int Id, string Text)> Entries { get; } = [];

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

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
            logs.Entries.Enqueue((category, eventId.Id, formatter(state, exception)));
    }
}
