// Checks the parser of messages: compile.sh runs it on a computer, without Android.
import lendloom.PageMessage;

public final class PageMessageTest {
    private static int checks = 0;

    private static void check(String text, PageMessage.Type type, String value) {
        PageMessage message = PageMessage.parse(text);
        boolean isRight = type == null
                ? message == null
                : message != null && message.type == type && (value == null ? message.value == null : value.equals(message.value));
        if (!isRight) throw new AssertionError(text + " was parsed as " + (message == null ? null : message.type + " " + message.value));
        checks++;
    }

    public static void main(String[] args) {
        check("{\"type\":\"lab.ready\"}", PageMessage.Type.READY, null);
        check("{\"type\":\"lab.session_expired\"}", PageMessage.Type.SESSION_EXPIRED, null);
        check("{\"type\":\"lab.exit\"}", PageMessage.Type.EXIT, null);
        check("{\"type\":\"lab.error\",\"code\":\"BUSY\",\"retryable\":true}", PageMessage.Type.ERROR, "BUSY");
        check("{\"type\":\"lab.open\",\"url\":\"https://lender.example/kyc\"}", PageMessage.Type.OPEN, "https://lender.example/kyc");
        check("{\"tenant_id\":\"t\",\"borrower\":{\"journey\":{\"id\":\"j\",\"status\":\"STARTED\"}}}", PageMessage.Type.UPDATE, "STARTED");
        String[] ignored = {
            null, "", "null", "7", "[]", "{", "{}", "\"lab.exit\"", "{\"type\":\"lab.resize\",\"height\":900}",
            "{\"type\":7}", "{\"type\":null}", "{\"type\":\"lab.error\"}", "{\"type\":\"lab.error\",\"code\":7}",
            "{\"type\":\"lab.open\"}", "{\"type\":\"lab.open\",\"url\":\"javascript:alert(1)\"}",
            "{\"type\":\"lab.open\",\"url\":\"intent://x#Intent;component=a/.B;end\"}",
            "{\"type\":\"lab.open\",\"url\":[\"https://a.example\"]}",
            "{\"type\":\"lab.exit\",\"borrower\":{}}", "{\"type\":\"lab.exit\",\"borrower\":null}",
            "{\"borrower\":{\"journey\":{\"status\":7}}}", "{\"borrower\":[]}",
            new String(new char[100_000]).replace("\0", "{\"a\":"),
        };
        for (String text : ignored) check(text, null, null);
        System.out.println(checks + " messages were parsed as expected");
    }
}
