// Declarations for compiling without androidx.webkit. Not part of an app.
package androidx.webkit;

public class WebMessageCompat {
    public static final int TYPE_STRING = 0;

    public int getType() {
        return TYPE_STRING;
    }

    public String getData() {
        return null;
    }
}
