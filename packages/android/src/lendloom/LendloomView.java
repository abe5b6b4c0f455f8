// The hosted page in a web view: its channel, loading, expiry, files, and pages of other sites.
package lendloom;

import android.annotation.SuppressLint;
import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.ClipData;
import android.content.Context;
import android.content.Intent;
import android.content.res.TypedArray;
import android.graphics.Color;
import android.net.Uri;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.view.Gravity;
import android.view.View;
import android.webkit.PermissionRequest;
import android.webkit.RenderProcessGoneDetail;
import android.webkit.ValueCallback;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.widget.Button;
import android.widget.FrameLayout;
import android.widget.ProgressBar;
import androidx.webkit.WebMessageCompat;
import androidx.webkit.WebViewCompat;
import androidx.webkit.WebViewFeature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.json.JSONObject;

/** Shows a journey. Call every method on the main thread. */
public final class LendloomView extends FrameLayout {
    /** The app around the view. */
    public interface Host {
        /**
         * Request an embedUrl from your server: when the view opens, when the session has expired, and when the borrower
         * retries. Answer once, on any thread; with null if the request failed.
         */
        void requestUrl(UrlAnswer answer);

        /** The borrower can use the page; called once. */
        default void onReady() {}

        /** A lifecycle update: refresh your screen, but rely on the webhook that your server receives. */
        default void onUpdate(String status, JSONObject update) {}

        /**
         * From the page: OFFLINE, BUSY. From the view: OFFLINE or BUSY if the page did not load, TIMEOUT if it did not
         * answer in time, RENEWAL if requestUrl gave no new address of the platform, NO_APP if no app opens an address,
         * OLD_WEB_VIEW if the page was opened in a browser, because the web view cannot name the sender of a message.
         */
        default void onError(String code, boolean retryable) {}

        /** The borrower has finished or wants to leave: close the screen. */
        void onExit();

        /** Start this activity for a result, and pass the result to {@link LendloomView#onFilesChosen}. */
        void chooseFiles(Intent chooser);
    }

    public interface UrlAnswer {
        void url(String embedUrl);
    }

    private static final long TIMEOUT_MS = 15_000;

    private final Uri platform;
    private final Host host;
    /** Covers the page until it is ready. The page stays visible below, because Android slows down hidden pages. */
    private final FrameLayout cover;
    private final View progress;
    private final Button retry;
    private final Runnable onTimeout = () -> fail("TIMEOUT");
    private final Handler main = new Handler(Looper.getMainLooper());
    private WebView web;
    private ValueCallback<Uri[]> chosenFiles;
    private String currentUrl;
    private int requests;
    private boolean isReady;
    private boolean isRenewing;
    private boolean isDestroyed;

    /** @param platform the origin of the platform, such as https://lendloom.example, in lower case */
    public LendloomView(Context context, Uri platform, Host host) {
        super(context);
        if (platform.getScheme() == null || platform.getAuthority() == null)
            throw new IllegalArgumentException("platform must be an origin such as https://lendloom.example");
        this.platform = platform;
        this.host = host;
        setFitsSystemWindows(true);
        progress = new ProgressBar(context);
        retry = new Button(context);
        retry.setText("Try again");
        retry.setOnClickListener((button) -> open());
        cover = new FrameLayout(context);
        TypedArray theme = context.obtainStyledAttributes(new int[] {android.R.attr.colorBackground});
        cover.setBackgroundColor(theme.getColor(0, Color.WHITE));
        theme.recycle();
        // Keeps taps from the page below.
        cover.setClickable(true);
        for (View view : new View[] {progress, retry})
            cover.addView(view, new LayoutParams(LayoutParams.WRAP_CONTENT, LayoutParams.WRAP_CONTENT, Gravity.CENTER));
        addView(cover, new LayoutParams(LayoutParams.MATCH_PARENT, LayoutParams.MATCH_PARENT));
    }

    public void setRetryText(CharSequence text) {
        retry.setText(text);
    }

    /** Requests an address and shows its page. */
    public void open() {
        if (isRenewing || isDestroyed) return;
        isRenewing = true;
        int thisRequest = ++requests;
        show(progress);
        restartTimer();
        host.requestUrl((url) -> main.post(() -> {
            // Ignores a second answer, and an answer after the timeout.
            if (!isRenewing || thisRequest != requests || isDestroyed) return;
            isRenewing = false;
            // A link works once, so the same link would expire again at once, without end.
            if (url == null || url.equals(currentUrl) || !isOfPlatform(Uri.parse(url))) fail("RENEWAL");
            else load(url);
        }));
    }

    /** Goes to the page's previous screen. Returns false if there is none: close your screen then. */
    public boolean goBack() {
        if (web == null || cover.getVisibility() == VISIBLE || !web.canGoBack()) return false;
        web.goBack();
        return true;
    }

    public void pause() {
        if (web != null) web.onPause();
    }

    /** Lets the page refresh, also after the borrower returns from a page of the lender. */
    public void resume() {
        if (web != null) web.onResume();
    }

    public void destroy() {
        isDestroyed = true;
        main.removeCallbacks(onTimeout);
        removeWeb();
    }

    /** The result of {@link Host#chooseFiles}. */
    public void onFilesChosen(int resultCode, Intent data) {
        if (chosenFiles == null) return;
        chosenFiles.onReceiveValue(resultCode == Activity.RESULT_OK ? filesIn(data) : null);
        chosenFiles = null;
    }

    private void load(String url) {
        currentUrl = url;
        if (!WebViewFeature.isFeatureSupported(WebViewFeature.WEB_MESSAGE_LISTENER)) {
            main.removeCallbacks(onTimeout);
            host.onError("OLD_WEB_VIEW", false);
            openOutside(Uri.parse(url));
            host.onExit();
            return;
        }
        // A new web view has no history, in which Back would lead to used links.
        removeWeb();
        web = createWeb();
        addView(web, 0, new LayoutParams(LayoutParams.MATCH_PARENT, LayoutParams.MATCH_PARENT));
        show(progress);
        restartTimer();
        web.loadUrl(url);
    }

    private void restartTimer() {
        main.removeCallbacks(onTimeout);
        main.postDelayed(onTimeout, TIMEOUT_MS);
    }

    private void removeWeb() {
        onFilesChosen(Activity.RESULT_CANCELED, null);
        if (web == null) return;
        removeView(web);
        web.destroy();
        web = null;
    }

    @SuppressLint("SetJavaScriptEnabled")
    private WebView createWeb() {
        WebView created = new WebView(getContext());
        created.getSettings().setJavaScriptEnabled(true);
        created.getSettings().setAllowFileAccess(false);
        created.setWebViewClient(new PageClient());
        created.setWebChromeClient(new FileClient());
        String origin = platform.getScheme() + "://" + platform.getAuthority();
        WebViewCompat.addWebMessageListener(created, "LendloomBridge", Collections.singleton(origin),
                (view, message, source, isMainFrame, reply) -> {
                    if (view != web || !isMainFrame || !isOfPlatform(source)) return;
                    boolean isText = message.getType() == WebMessageCompat.TYPE_STRING;
                    if (isText) receive(PageMessage.parse(message.getData()));
                });
        return created;
    }

    private void receive(PageMessage message) {
        if (message == null) return;
        switch (message.type) {
            case UPDATE:
                host.onUpdate(message.value, message.body);
                break;
            case READY:
                main.removeCallbacks(onTimeout);
                show(web);
                if (!isReady) host.onReady();
                isReady = true;
                break;
            case SESSION_EXPIRED:
                open();
                break;
            case ERROR:
                host.onError(message.value, message.body.optBoolean("retryable"));
                break;
            case OPEN:
                openOutside(Uri.parse(message.value));
                break;
            case EXIT:
                host.onExit();
                break;
        }
    }

    /** Offers a retry, which requests a new address. */
    private void fail(String code) {
        isRenewing = false;
        main.removeCallbacks(onTimeout);
        show(retry);
        host.onError(code, true);
    }

    private void show(View shown) {
        progress.setVisibility(shown == progress ? VISIBLE : GONE);
        retry.setVisibility(shown == retry ? VISIBLE : GONE);
        boolean isPage = shown == web;
        cover.setVisibility(isPage ? GONE : VISIBLE);
        int access = isPage ? IMPORTANT_FOR_ACCESSIBILITY_AUTO : IMPORTANT_FOR_ACCESSIBILITY_NO_HIDE_DESCENDANTS;
        if (web != null) web.setImportantForAccessibility(access);
    }

    private boolean isOfPlatform(Uri uri) {
        return platform.getScheme().equals(uri.getScheme()) && platform.getAuthority().equals(uri.getAuthority());
    }

    /**
     * Opens a page of another site in a Custom Tab, and telephone, mail and UPI addresses in their app. Refuses other
     * schemes: an intent: address could name any activity.
     */
    private void openOutside(Uri uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme();
        Intent intent = new Intent(Intent.ACTION_VIEW, uri).addCategory(Intent.CATEGORY_BROWSABLE);
        switch (scheme) {
            case "http":
            case "https":
                // Makes the browser show a Custom Tab; a browser without them ignores it.
                Bundle session = new Bundle();
                session.putBinder("android.support.customtabs.extra.SESSION", null);
                intent.putExtras(session);
                break;
            case "tel":
            case "mailto":
            case "upi":
                break;
            default:
                return;
        }
        try {
            getContext().startActivity(intent);
        } catch (ActivityNotFoundException noApp) {
            host.onError("NO_APP", false);
        }
    }

    /** The chosen files. Only content: addresses of other apps, because another app could name a private file of ours. */
    private Uri[] filesIn(Intent data) {
        List<Uri> named = new ArrayList<>();
        if (data != null && data.getData() != null) named.add(data.getData());
        ClipData clip = data == null ? null : data.getClipData();
        for (int i = 0; clip != null && i < clip.getItemCount(); i++)
            if (!named.contains(clip.getItemAt(i).getUri())) named.add(clip.getItemAt(i).getUri());
        List<Uri> files = new ArrayList<>();
        for (Uri uri : named) {
            boolean isContent = uri != null && "content".equals(uri.getScheme()) && uri.getAuthority() != null;
            if (isContent && !(uri.getAuthority() + ".").startsWith(getContext().getPackageName() + ".")) files.add(uri);
        }
        return files.isEmpty() ? null : files.toArray(new Uri[0]);
    }

    /** Keeps the web view on the platform. Two methods lack @Override, because Android 6 does not call them. */
    private final class PageClient extends WebViewClient {
        public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
            if (isOfPlatform(request.getUrl())) return false;
            if (request.isForMainFrame()) openOutside(request.getUrl());
            return true;
        }

        @Override
        public void onReceivedError(WebView view, WebResourceRequest request, WebResourceError error) {
            if (view == web && request.isForMainFrame()) fail("OFFLINE");
        }

        @Override
        public void onReceivedHttpError(WebView view, WebResourceRequest request, WebResourceResponse response) {
            if (view == web && request.isForMainFrame()) fail("BUSY");
        }

        /** The platform keeps the borrower's input, so a new page continues where the ended process was. */
        public boolean onRenderProcessGone(WebView view, RenderProcessGoneDetail detail) {
            if (view == web) {
                removeWeb();
                open();
            }
            return true;
        }
    }

    private final class FileClient extends WebChromeClient {
        @Override
        public boolean onShowFileChooser(WebView view, ValueCallback<Uri[]> files, FileChooserParams params) {
            // An unanswered callback would disable every later choice.
            onFilesChosen(Activity.RESULT_CANCELED, null);
            chosenFiles = files;
            List<String> types = new ArrayList<>();
            for (String type : params.getAcceptTypes()) if (type.contains("/")) types.add(type);
            Intent chooser = new Intent(Intent.ACTION_GET_CONTENT).addCategory(Intent.CATEGORY_OPENABLE).setType("*/*");
            if (!types.isEmpty()) chooser.putExtra(Intent.EXTRA_MIME_TYPES, types.toArray(new String[0]));
            boolean takesMany = params.getMode() == FileChooserParams.MODE_OPEN_MULTIPLE;
            chooser.putExtra(Intent.EXTRA_ALLOW_MULTIPLE, takesMany);
            host.chooseFiles(chooser);
            return true;
        }

        /** The page uses no camera and no microphone: KYC has them in the browser's tab. */
        @Override
        public void onPermissionRequest(PermissionRequest request) {
            request.deny();
        }
    }
}
