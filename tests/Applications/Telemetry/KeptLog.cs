using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Slipstream.Telemetry;

/// <summary>Keeps each message after its id.</summary>
internal sealed class KeptLog : ILoggerFactory, ILogger
{
    private readonly ConcurrentQueue<string> _lines = new();

    public IReadOnlyList<string> Lines => [.. _lines];

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        _lines.Enqueue($"{eventId.Id} {formatter(state, exception)}");

    public void Dispose()
    {
        // The log keeps its messages.
    }
}
