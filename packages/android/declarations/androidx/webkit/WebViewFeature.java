// Declarations for compiling without androidx.webkit. Not part of an app.
package androidx.webkit;

public class WebViewFeature {
    public static final String WEB_MESSAGE_LISTENER = "WEB_MESSAGE_LISTENER";

    public static boolean isFeatureSupported(String feature) {
        return true;
    }
}
