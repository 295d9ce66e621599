using Slipstream.Core.Conversations;

namespace Slipstream.Core.Clusters;

/// <summary>A question that the server answers when it has executed certain writes, or after a time limit.</summary>
/// <param name="Exchange">The question.</param>
/// <param name="IsReached">Returns whether the answer says that the server has executed them. Called when the answer has been read without an error.</param>
internal sealed record PositionWait(SimpleExchange Exchange, Func<SimpleExchange, bool> IsReached);
