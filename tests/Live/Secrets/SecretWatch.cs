using System.Collections;
using System.Collections.Concurrent;
using System.Data.Common;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Reflection;
using System.Runtime.ExceptionServices;
using Microsoft.Extensions.Logging;
using Slipstream.Core.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Live.Secrets;

[assembly: AssemblyFixture(typeof(SecretWatch))]

namespace Slipstream.Live.Secrets;

/// <summary>
/// Listens to everything that this program's drivers emit while all its tests run: log messages of every level, spans, metrics, and each exception at the
/// moment it is thrown. The lab's passwords are recognisable; a text that contains one fails the run. So does a <see cref="NullReferenceException"/>.
/// </summary>
public sealed class SecretWatch : IDisposable
{
    private static readonly string[] Sources = ["Slipstream.MySql", "Slipstream.PostgreSql"];

    private static SecretWatch? _current;

    [ThreadStatic]
    private static bool _isLooking;

    private readonly ConcurrentDictionary<string, string> _heard = new();
    private readonly ConcurrentQueue<string> _faults = new();
    private readonly Loggers _loggers;
    private ActivityListener? _spans;
    private MeterListener? _meters;
    private volatile bool _isPaused;
    private long _messages, _ended, _measurements, _exceptions;

    public SecretWatch()
    {
        _loggers = new(this);
        _current = this;
        Begin();
    }

    /// <summary>The numbers of received messages, spans, measurements and exceptions.</summary>
    public (long Messages, long Spans, long Measurements, long Exceptions) Counts =>
        (Interlocked.Read(ref _messages), Interlocked.Read(ref _ended), Interlocked.Read(ref _measurements), Interlocked.Read(ref _exceptions));

    /// <summary>The secrets that were found in received texts: which secret, and where.</summary>
    public IEnumerable<string> Heard => _heard.Select(static pair => $"{pair.Value}: {pair.Key}");

    /// <summary>Stops listening until the returned value is disposed: for tests that measure the cost without a listener.</summary>
    public static IDisposable Pause()
    {
        _current?.End();
        return new Resumption(_current);
    }

    /// <summary>Reads the metrics of the pools, which are reported only on request.</summary>
    public void AskPools() => _meters?.RecordObservableInstruments();

    public void Dispose()
    {
        AskPools();
        End();
        // Wherever one arises, a test that catches it or is about something else does not hide it.
        Assert.True(_faults.IsEmpty, "The null reference of a driver or a test: " + string.Join(Environment.NewLine, _faults));
        if (_heard.IsEmpty)
            return;
        // Once, because the failure itself is reported for every test.
        Console.Error.WriteLine("Secrets were heard while the tests ran:" + Environment.NewLine + string.Join(Environment.NewLine, Heard));
        var first = Heard.First();
        Assert.Fail($"Secrets were heard ({_heard.Count}); all are listed on standard error. The first: {first[..Math.Min(first.Length, 200)]}");
    }

    private void Begin()
    {
        _isPaused = false;
        Telemetry.Fallback = _loggers;
        _spans = new()
        {
            ShouldListenTo = static source => Sources.Contains(source.Name),
            Sample = static (ref _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = Look,
        };
        ActivitySource.AddActivityListener(_spans);
        _meters = new()
        {
            InstrumentPublished = static (instrument, self) =>
            {
                if (Sources.Contains(instrument.Meter.Name))
                    self.EnableMeasurementEvents(instrument);
            },
        };
        _meters.SetMeasurementEventCallback<double>(Look);
        _meters.SetMeasurementEventCallback<long>(Look);
        _meters.Start();
        AppDomain.CurrentDomain.FirstChanceException += Look;
    }

    private void End()
    {
        _isPaused = true;
        Telemetry.Fallback = null;
        _spans?.Dispose();
        _meters?.Dispose();
        AppDomain.CurrentDomain.FirstChanceException -= Look;
    }

    private void Hear(string? text, string where, bool isServers = false)
    {
        if (Secrets.Find(text, isServers) is { } secret)
            _heard.TryAdd($"{where}: {text}", secret);
    }

    private void Look(Activity span)
    {
        Interlocked.Increment(ref _ended);
        Hear(span.OperationName, "a span's name");
        Hear(span.DisplayName, "a span's display name");
        Hear(span.StatusDescription, "a span's status");
        foreach (var (key, value) in span.TagObjects)
            Hear($"{key}={value}", "a span's tag");
        foreach (var one in span.Events)
            Hear(one.Name + string.Join(' ', one.Tags.Select(static tag => $"{tag.Key}={tag.Value}")), "a span's event");
        foreach (var (key, value) in span.Baggage)
            Hear($"{key}={value}", "a span's baggage");
    }

    private void Look<T>(Instrument instrument, T measurement, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? state)
        where T : struct
    {
        Interlocked.Increment(ref _measurements);
        foreach (var (key, value) in tags)
            Hear($"{key}={value}", "a tag of " + instrument.Name);
    }

    private void Look(object? sender, FirstChanceExceptionEventArgs thrown)
    {
        if (_isLooking || thrown.Exception.GetType().Namespace is { } space && space.StartsWith("Xunit", StringComparison.Ordinal))
            return;
        _isLooking = true;
        try
        {
            Interlocked.Increment(ref _exceptions);
            if (thrown.Exception is NullReferenceException)
                _faults.Enqueue($"{thrown.Exception.Message}{Environment.NewLine}{Environment.StackTrace}");
            foreach (var text in TextsOf(thrown.Exception))
                Hear(text, "an exception " + thrown.Exception.GetType().Name, IsServers(thrown.Exception));
        }
        finally
        {
            _isLooking = false;
        }
    }

    /// <summary>Returns whether the exception contains the server's own text.</summary>
    internal static bool IsServers(Exception exception) =>
        exception is DbException { SqlState: not null } or ServerRefusedException || (exception.InnerException is { } inner && IsServers(inner));

    /// <summary>Returns all texts of an exception and of its inner exceptions.</summary>
    internal static IEnumerable<string?> TextsOf(Exception? exception)
    {
        for (; exception is not null; exception = exception.InnerException)
        {
            yield return exception.Message;
            yield return exception.HelpLink;
            foreach (DictionaryEntry entry in exception.Data)
                yield return $"{entry.Key}={entry.Value}";
            if (exception.GetType().Namespace?.StartsWith("Slipstream", StringComparison.Ordinal) is not true)
                continue;
            yield return exception.ToString();
            foreach (var property in exception.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
                if (property.PropertyType == typeof(string))
                    yield return (string?)property.GetValue(exception);
        }
    }

    private sealed class Resumption(SecretWatch? watch) : IDisposable
    {
        public void Dispose() => watch?.Begin();
    }

    private sealed class Loggers(SecretWatch watch) : ILoggerFactory, ILogger
    {
        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
        {
            watch.Hear(state.ToString(), "a scope of the log");
            return null;
        }

        public bool IsEnabled(LogLevel logLevel) => !watch._isPaused;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            Interlocked.Increment(ref watch._messages);
            watch.Hear(formatter(state, exception), $"log message {eventId.Id}");
            if (state is IEnumerable<KeyValuePair<string, object?>> values)
                foreach (var (key, value) in values)
                    watch.Hear($"{key}={value}", $"a value of log message {eventId.Id}");
            foreach (var text in TextsOf(exception))
                watch.Hear(text, $"the exception of log message {eventId.Id}");
        }

        public void Dispose()
        {
        }
    }
}

/// <summary>Pauses the watch while a collection's tests run.</summary>
public sealed class Unwatched : IDisposable
{
    private readonly IDisposable _pause = SecretWatch.Pause();

    public void Dispose() => _pause.Dispose();
}
