using System.Text;

namespace Slipstream.PostgreSql.Codecs;

/// <summary>
/// Refuses a surrogate without its pair with the exception of the runtime, and reports it before: a <see cref="StreamWriter"/> that is disposed after the
/// exception closes its stream as if everything had been written.
/// </summary>
internal sealed class UnpairedSurrogates : EncoderFallback
{
    private readonly Action _report;

    private UnpairedSurrogates(Action report) => _report = report;

    public override int MaxCharCount => 0;

    /// <summary>Returns UTF-8 without a byte order mark, which calls <paramref name="report"/> before it throws.</summary>
    public static Encoding Report(Action report)
    {
        var encoding = (Encoding)new UTF8Encoding(encoderShouldEmitUTF8Identifier: false).Clone();
        encoding.EncoderFallback = new UnpairedSurrogates(report);
        return encoding;
    }

    public override EncoderFallbackBuffer CreateFallbackBuffer() => new Buffer(_report);

    private sealed class Buffer(Action report) : EncoderFallbackBuffer
    {
        private readonly EncoderFallbackBuffer _throwing = EncoderFallback.ExceptionFallback.CreateFallbackBuffer();

        public override int Remaining => 0;

        public override bool Fallback(char charUnknown, int index)
        {
            report();
            return _throwing.Fallback(charUnknown, index);
        }

        public override bool Fallback(char charUnknownHigh, char charUnknownLow, int index)
        {
            report();
            return _throwing.Fallback(charUnknownHigh, charUnknownLow, index);
        }

        public override char GetNextChar() => '\0';

        public override bool MovePrevious() => false;
    }
}
