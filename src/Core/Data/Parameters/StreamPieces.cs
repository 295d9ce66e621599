using System.Text;
using Slipstream.Core.Conversations;

namespace Slipstream.Core.Data;

/// <summary>The content of a parameter's <see cref="Stream"/> from its current position to its end. The stream is not disposed.</summary>
internal sealed class StreamPieces(Stream stream) : Pieces
{
    private readonly byte[] _buffer = GC.AllocateUninitializedArray<byte>(64 * 1024);

    /// <inheritdoc/>
    public override void Wait()
    {
        try
        {
            Take(stream.Read(_buffer));
        }
        catch (Exception exception)
        {
            Failure = exception;
        }
    }

    /// <inheritdoc/>
    public override async ValueTask WaitAsync()
    {
        try
        {
            Take(await stream.ReadAsync(_buffer).ConfigureAwait(false));
        }
        catch (Exception exception)
        {
            Failure = exception;
        }
    }

    private void Take(int count)
    {
        Piece = _buffer.AsMemory(0, count);
        IsAtEnd = count == 0;
    }
}

/// <summary>The content of a parameter's <see cref="TextReader"/> from its current position to its end, as UTF-8. The reader is not disposed.</summary>
internal sealed class TextPieces(TextReader reader) : Pieces
{
    private readonly char[] _characters = new char[16 * 1024];
    private readonly byte[] _buffer = GC.AllocateUninitializedArray<byte>(64 * 1024);

    // Keeps half of a surrogate pair at the end of a piece for the next piece.
    private readonly Encoder _encoder = Encoding.UTF8.GetEncoder();

    /// <inheritdoc/>
    public override void Wait()
    {
        try
        {
            Take(reader.Read(_characters));
        }
        catch (Exception exception)
        {
            Failure = exception;
        }
    }

    /// <inheritdoc/>
    public override async ValueTask WaitAsync()
    {
        try
        {
            Take(await reader.ReadAsync(_characters).ConfigureAwait(false));
        }
        catch (Exception exception)
        {
            Failure = exception;
        }
    }

    private void Take(int count)
    {
        IsAtEnd = count == 0;
        Piece = _buffer.AsMemory(0, _encoder.GetBytes(_characters.AsSpan(0, count), _buffer, flush: IsAtEnd));
    }
}
