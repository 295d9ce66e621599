package slipstream.race;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A contestant of the web race: TechEmpower's pages over Netty and JDBC. It prints its port, and ends with its standard input. */
public final class Site {
    private static final int LARGEST_REQUEST = 64 * 1024;

    private Site() {
    }

    public static void main(String[] arguments) throws Exception {
        var size = Integer.parseInt(System.getenv("RACE_POOL"));
        var pages = new Pages(new Store(new ConnectionPool(size)), Executors.newFixedThreadPool(size));
        // Debian's package does not have the library of Netty's own transport for Linux.
        var group = new NioEventLoopGroup();
        group.next().scheduleAtFixedRate(pages::tick, 1, 1, TimeUnit.SECONDS);
        var server = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class).option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.TCP_NODELAY, true).childHandler(new ChannelInitializer<SocketChannel>() {
                @Override
                protected void initChannel(SocketChannel one) {
                    one.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(LARGEST_REQUEST), pages);
                }
            });
        var bound = (ServerSocketChannel) server.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
        System.out.println(bound.localAddress().getPort());
        System.in.readAllBytes();
        System.exit(0);
    }
}
