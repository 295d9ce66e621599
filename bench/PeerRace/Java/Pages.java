package slipstream.race;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;

/** TechEmpower's pages. JDBC blocks, so a page with a database runs on a thread of a pool; Netty's threads never wait. */
@ChannelHandler.Sharable
final class Pages extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final String JSON = "application/json; charset=utf-8";
    private static final String HTML = "text/html; charset=utf-8";

    private final Store store;
    private final ExecutorService threads;
    private final ConcurrentHashMap<Integer, World> cache = new ConcurrentHashMap<>();
    private volatile String date;

    Pages(Store store, ExecutorService threads) throws Exception {
        this.store = store;
        this.threads = threads;
        for (var world : store.all()) {
            cache.put(world.id(), world);
        }
        tick();
    }

    /** Renews the time in the answers. */
    void tick() {
        date = DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        var keepAlive = HttpUtil.isKeepAlive(request);
        switch (request.uri()) {
            case "/db" -> run(context, keepAlive, JSON, () -> Bodies.json(store.one()));
            case "/queries" -> run(context, keepAlive, JSON, () -> Bodies.json(store.several()));
            case "/updates" -> run(context, keepAlive, JSON, () -> Bodies.json(store.update()));
            case "/fortunes" -> run(context, keepAlive, HTML, () -> Bodies.html(store.fortunes()));
            case "/cached" -> answer(context, keepAlive, HttpResponseStatus.OK, JSON, Bodies.json(cached()));
            default -> answer(context, keepAlive, HttpResponseStatus.NOT_FOUND, "text/plain", "");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable exception) {
        context.close();
    }

    private World[] cached() {
        var rows = new World[Store.SEVERAL];
        for (var at = 0; at < rows.length; at++) {
            rows[at] = cache.get(World.randomId());
        }
        return rows;
    }

    private void run(ChannelHandlerContext context, boolean keepAlive, String type, Callable<String> page) {
        threads.execute(() -> {
            try {
                answer(context, keepAlive, HttpResponseStatus.OK, type, page.call());
            } catch (Exception exception) {
                System.err.println(exception);
                answer(context, keepAlive, HttpResponseStatus.INTERNAL_SERVER_ERROR, "text/plain", "");
            }
        });
    }

    private void answer(ChannelHandlerContext context, boolean keepAlive, HttpResponseStatus status, String type, String body) {
        var bytes = Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8));
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, bytes, false);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type).set(HttpHeaderNames.SERVER, "Netty").set(HttpHeaderNames.DATE, date)
            .setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.readableBytes());
        if (!keepAlive) {
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
        }
        var written = context.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }
}
