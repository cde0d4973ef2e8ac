// Answers rightly, but through a writer that nobody flushes.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class NoFlush {
    public static void main(String[] words) throws IOException {
        Pattern id = Pattern.compile("\"id\":(\\d+)");
        Pattern legal = Pattern.compile("\"legal\":\\[\"([^\"]*)\"");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintWriter out = new PrintWriter(System.out);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Matcher number = id.matcher(line);
            number.find();
            Matcher move = legal.matcher(line);
            String more = move.find() ? ",\"move\":\"" + move.group(1) + "\"" : "";
            out.println("{\"id\":" + number.group(1) + more + "}");
        }
        out.close();
    }
}
