import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

/** The HTTP server of the JDK; it answers before it has read the body. */
public class Receiver {
  public static void main(String[] args) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 0);
    server.createContext("/", exchange -> {
      byte[] body = "{\"received\":true}".getBytes();
      exchange.sendResponseHeaders(202, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
  }
}
