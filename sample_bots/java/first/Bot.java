// The smallest player: it answers every question with the first legal move.
// Java has no JSON.  This relies on what the protocol promises of each line: no blanks
// between tokens, "id" first, "type" second, and no quote mark inside of a move.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Bot {
    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null;) {
            int comma = line.indexOf(','), legal = line.indexOf("\"legal\":[\"") + 10;
            String reply = line.substring(0, comma);  // {"id":17
            if (line.startsWith(",\"type\":\"act\"", comma)) {
                reply += ",\"move\":\"" + line.substring(legal, line.indexOf('"', legal)) + "\"";
            }
            System.out.println(reply + "}");
            System.out.flush();
        }
    }
}
