import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.SftpException;
import com.jcraft.jsch.SftpProgressMonitor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import net.schmizz.sshj.SSHClient;
import net.schmizz.sshj.transport.verification.PromiscuousVerifier;
import net.schmizz.sshj.xfer.InMemorySourceFile;

/** Story <sshj|jsch> <action> <port> <user> <key> <local> <folder> <name> <result> <local result> */
public class Story {
  public static void main(String[] given) throws Exception {
    String action = given[1];
    int port = Integer.parseInt(given[2]);
    String user = given[3];
    String key = given[4];
    String local = given[5];
    String folder = given[6];
    String last = folder + "/" + given[7];
    if (given[0].equals("sshj")) {
      sshj(action, port, user, key, local, folder, last, given[8], given[9]);
    } else {
      jsch(action, port, user, key, local, folder, last, given[8], given[9]);
    }
    System.exit(0);
  }

  static void sshj(
      String action, int port, String user, String key, String local, String folder,
      String last, String result, String localResult) throws Exception {
    try (SSHClient client = new SSHClient()) {
      client.addHostKeyVerifier(new PromiscuousVerifier());
      client.connect("127.0.0.1", port);
      client.authPublickey(user, key);
      try (var sftp = client.newSFTPClient()) {
        // As NiFi does, with a dot in front.
        String temporary = last.replaceFirst("/([^/]+)$", "/.$1");
        if (action.equals("interrupt")) {
          try {
            sftp.put(new Breaking(Path.of(local)), temporary);
          } catch (IOException expected) {
            // It was broken off.
          }
        }
        if (action.equals("mkdir")) sftp.mkdirs(folder);
        if (action.equals("mkdir") || action.equals("upload")) sftp.put(local, last);
        if (action.equals("rename") || action.equals("interrupt")) {
          sftp.put(local, temporary);
          sftp.rename(temporary, last);
          sftp.stat(last);
        }
        if (action.equals("download")) sftp.get(result, localResult);
      }
    }
  }

  /** A source that ends with an error after some bytes. */
  static class Breaking extends InMemorySourceFile {
    private final byte[] content;

    Breaking(Path file) throws IOException {
      content = Files.readAllBytes(file);
    }

    public String getName() {
      return "breaking";
    }

    public long getLength() {
      return content.length;
    }

    public InputStream getInputStream() {
      return breaking(content);
    }
  }

  static InputStream breaking(byte[] content) {
    return new InputStream() {
      private int at = 0;

      public int read() throws IOException {
        if (at > 100_000) throw new IOException("broken off");
        return content[at++] & 0xff;
      }
    };
  }

  static void jsch(
      String action, int port, String user, String key, String local, String folder,
      String last, String result, String localResult) throws Exception {
    JSch jsch = new JSch();
    jsch.addIdentity(key);
    var session = jsch.getSession(user, "127.0.0.1", port);
    session.setConfig("StrictHostKeyChecking", "no");
    session.connect(20_000);
    var sftp = (ChannelSftp) session.openChannel("sftp");
    sftp.connect(20_000);
    // As Spring Integration does.
    String temporary = last + ".writing";
    if (action.equals("interrupt")) {
      SftpProgressMonitor monitor = new SftpProgressMonitor() {
        private long sent = 0;

        public void init(int op, String from, String to, long max) {}

        public boolean count(long bytes) {
          sent += bytes;
          return sent < 100_000;
        }

        public void end() {}
      };
      sftp.put(local, temporary, monitor, ChannelSftp.OVERWRITE);
    }
    if (action.equals("mkdir")) {
      try {
        sftp.mkdir(folder);
      } catch (SftpException exists) {
        sftp.stat(folder);
      }
    }
    if (action.equals("mkdir") || action.equals("upload")) sftp.put(local, last);
    if (action.equals("rename") || action.equals("interrupt")) {
      sftp.put(local, temporary);
      sftp.rename(temporary, last);
      sftp.lstat(last);
    }
    if (action.equals("download")) sftp.get(result, localResult);
    session.disconnect();
  }
}
