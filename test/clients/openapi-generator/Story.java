import com.google.gson.JsonParser;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AccessApi;
import org.openapitools.client.api.AccountsApi;
import org.openapitools.client.api.BatchApi;
import org.openapitools.client.api.ContactsApi;
import org.openapitools.client.api.ExportsApi;
import org.openapitools.client.api.TemplatesApi;
import org.openapitools.client.model.BatchOperation;
import org.openapitools.client.model.BatchOperationCreate;
import org.openapitools.client.model.ContactAccountCreate;
import org.openapitools.client.model.ContactCreate;
import org.openapitools.client.model.Export;
import org.openapitools.client.model.ExportCreate;
import org.openapitools.client.model.ListContactsResponse;
import org.openapitools.client.model.TemplateCreate;

/** The steps of an integrator with a client generated from the OpenAPI document. */
public class Story {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    var token = new AccessApi(client).createToken("client_credentials")
        .clientId(args[1]).clientSecret(args[2]).execute();
    client.setAccessToken(token.getAccessToken());
    ContactsApi contacts = new ContactsApi(client);
    BatchApi batches = new BatchApi(client);
    ExportsApi exports = new ExportsApi(client);

    var contact = contacts.createContact(new ContactCreate().uniqueId("java-1").firstName("James")).execute();
    var account = new AccountsApi(client).createContactAccount("unique_id:java-1",
        new ContactAccountCreate().kind(ContactAccountCreate.KindEnum.DEPOSIT).balanceCents(1250)).execute();
    expect("the owner of the account", account.getContactId(), contact.getId());
    OffsetDateTime deadline = OffsetDateTime.now(ZoneOffset.UTC).plusDays(30).truncatedTo(ChronoUnit.MILLIS);
    var template = new TemplatesApi(client).createTemplate(
        new TemplateCreate().name("Welcome").deadlineAt(deadline)).execute();
    expect("the deadline", template.getDeadlineAt(), deadline);

    List<String> names = List.of("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus");
    List<String> lines = new ArrayList<>(List.of("unique_id,last_name,email,tags,attributes.plan"));
    for (int at = 0; at < names.size(); at++) {
      String name = names.get(at);
      lines.add("java-file-" + at + "," + name + "," + name + "@example.com,\"file;new\","
          + (at % 2 == 0 ? "gold" : "basic"));
    }
    lines.add("java-file-bad,Hal,no address,file,gold");
    Path csv = Files.write(Files.createTempFile("contacts", ".csv"), lines);
    var upload = batches.createUpload(csv.toFile()).execute();
    BatchOperation started = batches.createBatchOperation("java-batch-1", new BatchOperationCreate()
        .operationKind("contacts.bulk_upsert").uploadId(upload.getId())
        // The generated class sends an empty list otherwise.
        .items(null)).execute();
    BatchOperation done = poll(() -> batches.getBatchOperation(started.getId()).execute(),
        found -> Set.of("queued", "validating", "running").contains(found.getStatus().getValue()));
    expect("the batch", done.getStatus(), BatchOperation.StatusEnum.SUCCEEDED_WITH_ERRORS);
    String errors = batches.getBatchOperationErrors(started.getId()).execute();
    expect("the errors", column(errors, "index"), List.of("7"));

    List<String> backwards = new ArrayList<>(names);
    Collections.reverse(backwards);
    expect("the list", listed(contacts, null), backwards);
    // The generated method takes each key for the name of a parameter.
    expect("the list of an attribute", listed(contacts, Map.of("filter[attributes.plan]", "gold")),
        List.of("Gus", "Ed", "Cy", "Ada"));

    Export asked = exports.createExport(new ExportCreate()
        .kind(ExportCreate.KindEnum.CONTACTS).format(ExportCreate.FormatEnum.NDJSON)
        .filters(Map.of("filter[tags][contains]", "file"))).execute();
    poll(() -> exports.getExport(asked.getId()).execute(),
        found -> found.getStatus() != Export.StatusEnum.SUCCEEDED);
    File file = exports.getExportFile(asked.getId()).execute();
    List<String> exported = Files.readAllLines(file.toPath()).stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject().get("last_name").getAsString())
        .sorted().toList();
    expect("the export", exported, names);
    System.out.println("The story ends well.");
    System.exit(0);
  }

  /** The last names of all pages, by their cursors. */
  static List<String> listed(ContactsApi contacts, Map<String, Object> filter) throws Exception {
    List<String> names = new ArrayList<>();
    String after = null;
    do {
      ListContactsResponse page = contacts.listContacts()
          .sort(List.of("-last_name", "inserted_at"))
          .filterTagsContains("file")
          .filterInsertedAtGte(OffsetDateTime.now().minusHours(1))
          .filterStatusIn(List.of("active", "suppressed"))
          .filter(filter)
          .pageSize(3)
          .pageAfter(after)
          .execute();
      page.getData().forEach(row -> names.add(row.getLastName()));
      after = page.getPage().getNextCursor();
    } while (after != null);
    return names;
  }

  /** A column of a file whose cells have no commas up to it. */
  static List<String> column(String csv, String name) {
    List<String> records = csv.lines().toList();
    int at = List.of(records.get(0).split(",")).indexOf(name);
    return records.stream().skip(1).map(record -> record.split(",", -1)[at]).sorted().toList();
  }

  interface Waiting<T> {
    boolean goesOn(T found);
  }

  /** Repeats a request until the result exists, for two minutes at most. */
  static <T> T poll(Callable<T> ask, Waiting<T> waiting) throws Exception {
    for (int tries = 0; tries < 480; tries++) {
      T found = ask.call();
      if (!waiting.goesOn(found)) return found;
      Thread.sleep(250);
    }
    throw new IllegalStateException("It took longer than two minutes");
  }

  static void expect(String what, Object found, Object expected) {
    if (!expected.equals(found)) throw new IllegalStateException(what + ": " + found + ", not " + expected);
  }
}
