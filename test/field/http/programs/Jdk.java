import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.regex.Pattern;

/** The HTTP client of the JDK, with bodies of unknown length, over HTTP/1.1 and where it asks for HTTP/2. */
public class Jdk {
  static String base;
  static HttpClient http;
  static String token;

  public static void main(String[] args) throws Exception {
    base = args[0];
    String basic = Base64.getEncoder().encodeToString((args[1] + ":" + args[2]).getBytes());
    for (HttpClient.Version version : HttpClient.Version.values()) {
      http = HttpClient.newBuilder().version(version).build();
      HttpResponse<String> issued = http.send(HttpRequest.newBuilder(URI.create(base + "/oauth2/token"))
          .header("Authorization", "Basic " + basic)
          .header("Accept", "application/json;charset=UTF-8")
          .header("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
          .POST(BodyPublishers.ofString("grant_type=client_credentials&scope=")).build(), BodyHandlers.ofString());
      token = field(expect(issued, 200), "access_token");
      String made = "{\"name\":\"" + java.util.UUID.randomUUID() + "\",\"kind\":\"static\"}";
      String id = field(expect(send("/v2/partner/cohorts", BodyPublishers.ofString(made), true), 201), "id");
      expect(send("/v2/partner/cohorts/" + id + "/archive", BodyPublishers.noBody(), false), 200);
      // A stream without content has no length that the client would know.
      var nothing = BodyPublishers.ofInputStream(InputStream::nullInputStream);
      expect(send("/v2/partner/cohorts/" + id + "/unarchive", nothing, false), 200);
      var lines = BodyPublishers.ofInputStream(() -> new java.io.ByteArrayInputStream("{\"unique_id\":\"jdk\"}\n".getBytes()));
      var upload = HttpRequest.newBuilder(URI.create(base + "/v2/batch/uploads")).header("Authorization", "Bearer " + token)
          .header("Content-Type", "application/x-ndjson").POST(lines).build();
      expect(http.send(upload, BodyHandlers.ofString()), 201);
    }
  }

  static HttpResponse<String> send(String path, HttpRequest.BodyPublisher body, boolean isJson) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(base + path)).header("Authorization", "Bearer " + token).POST(body);
    if (isJson) request.header("Content-Type", "application/json");
    return http.send(request.build(), BodyHandlers.ofString());
  }

  static HttpResponse<String> expect(HttpResponse<String> response, int status) {
    if (response.statusCode() == status) return response;
    throw new IllegalStateException(response.request().uri() + ": " + response.statusCode() + " " + response.body());
  }

  static String field(HttpResponse<String> response, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(response.body());
    if (!found.find()) throw new IllegalStateException(name + " is missing in " + response.body());
    return found.group(1);
  }
}
