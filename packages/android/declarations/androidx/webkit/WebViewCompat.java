// Declarations for compiling without androidx.webkit. Not part of an app.
package androidx.webkit;

import android.net.Uri;
import android.webkit.WebView;
import java.util.Set;

public class WebViewCompat {
    public interface WebMessageListener {
        void onPostMessage(
                WebView view, WebMessageCompat message, Uri source, boolean isMainFrame, JavaScriptReplyProxy reply);
    }

    public static void addWebMessageListener(
            WebView view, String name, Set<String> allowedOrigins, WebMessageListener listener) {}
}
