using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires;

public class NameResolverTests
{
    [Fact]
    public void One_name_after_the_other_is_resolved_by_the_same_other_thread()
    {
        var threads = new List<int>();
        using var scope = new DialScope(0, default);
        for (var i = 0; i < 20; i++)
        {
            var addresses = NameResolver.Resolve("a", host =>
            {
                Assert.Equal("a", host);
                threads.Add(Environment.CurrentManagedThreadId);
                return [IPAddress.Loopback];
            }, scope, out var failure);
            Assert.Equal([IPAddress.Loopback], addresses);
            Assert.Null(failure);
        }

        Assert.DoesNotContain(Environment.CurrentManagedThreadId, threads);
        // Another test may be resolving at the same time, or the thread may still be on its way back.
        Assert.True(threads.Distinct().Count() < threads.Count, string.Join(' ', threads));
    }

    [Fact]
    public void Why_there_is_no_address_is_told()
    {
        using var scope = new DialScope(0, default);
        Assert.Equal([], NameResolver.Resolve("a", static _ => throw new SocketException((int)SocketError.HostNotFound), scope, out var failure));
        Assert.Equal(SocketError.HostNotFound, Assert.IsType<SocketException>(failure).SocketErrorCode);
    }

    [Fact]
    public void A_name_service_that_does_not_answer_is_left_alone_when_the_time_is_over_and_keeps_nobody_else_waiting()
    {
        var hangs = new ManualResetEventSlim();
        try
        {
            using (var scope = new DialScope(20, default))
                Assert.Null(NameResolver.Resolve("hangs", _ => { hangs.Wait(); return [IPAddress.Any]; }, scope, out _));
            using var unlimited = new DialScope(0, default);
            Assert.Equal([IPAddress.Loopback], NameResolver.Resolve("answers", static _ => [IPAddress.Loopback], unlimited, out _));
        }
        finally
        {
            hangs.Set();
        }
    }
}
