// A message of the hosted page, parsed and validated. Needs no Android class but org.json.
package lendloom;

import org.json.JSONException;
import org.json.JSONObject;

/** A message of the hosted page. */
public final class PageMessage {
    public enum Type { UPDATE, READY, SESSION_EXPIRED, ERROR, OPEN, EXIT }

    public final Type type;
    /** The whole message; for UPDATE the lifecycle update. */
    public final JSONObject body;
    /** UPDATE: the status; ERROR: the code; OPEN: the address; otherwise null. */
    public final String value;

    private PageMessage(Type type, JSONObject body, String value) {
        this.type = type;
        this.body = body;
        this.value = value;
    }

    /** Returns null for a text that is not a message, and for a message that an app ignores. Throws nothing. */
    public static PageMessage parse(String text) {
        JSONObject body;
        try {
            body = new JSONObject(text);
        } catch (JSONException | StackOverflowError | NullPointerException notAnObject) {
            return null;
        }
        if (body.has("borrower")) {
            JSONObject borrower = body.optJSONObject("borrower");
            JSONObject journey = borrower == null ? null : borrower.optJSONObject("journey");
            String status = journey == null ? null : stringIn(journey, "status");
            return status == null ? null : new PageMessage(Type.UPDATE, body, status);
        }
        String name = stringIn(body, "type");
        switch (name == null ? "" : name) {
            case "lab.ready":
                return new PageMessage(Type.READY, body, null);
            case "lab.session_expired":
                return new PageMessage(Type.SESSION_EXPIRED, body, null);
            case "lab.exit":
                return new PageMessage(Type.EXIT, body, null);
            case "lab.error":
                return withText(Type.ERROR, body, stringIn(body, "code"));
            case "lab.open":
                String url = stringIn(body, "url");
                boolean isPage = url != null && (url.startsWith("https://") || url.startsWith("http://"));
                return withText(Type.OPEN, body, isPage ? url : null);
            default:
                return null;
        }
    }

    private static PageMessage withText(Type type, JSONObject body, String value) {
        return value == null ? null : new PageMessage(type, body, value);
    }

    private static String stringIn(JSONObject object, String key) {
        Object value = object.opt(key);
        return value instanceof String ? (String) value : null;
    }
}
