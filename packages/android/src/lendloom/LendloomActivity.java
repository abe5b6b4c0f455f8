// A screen that shows the hosted page. An app extends it, or uses LendloomView in a screen of its own.
package lendloom;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;

/** Shows a journey on the whole screen; you implement {@link #platform} and {@link #requestUrl}. */
public abstract class LendloomActivity extends Activity implements LendloomView.Host {
    private static final int CHOOSE_FILES = 1;
    private LendloomView view;

    /** The origin of the platform, such as https://lendloom.example. */
    protected abstract String platform();

    @Override
    protected void onCreate(Bundle savedState) {
        super.onCreate(savedState);
        view = new LendloomView(this, Uri.parse(platform()), this);
        setContentView(view);
        view.open();
    }

    @Override
    public void onExit() {
        finish();
    }

    @Override
    public void chooseFiles(Intent chooser) {
        try {
            startActivityForResult(chooser, CHOOSE_FILES);
        } catch (ActivityNotFoundException noApp) {
            view.onFilesChosen(RESULT_CANCELED, null);
            onError("NO_APP", false);
        }
    }

    @Override
    protected void onActivityResult(int request, int result, Intent data) {
        if (request == CHOOSE_FILES) view.onFilesChosen(result, data);
        else super.onActivityResult(request, result, data);
    }

    @Override
    public void onBackPressed() {
        if (!view.goBack()) super.onBackPressed();
    }

    @Override
    protected void onPause() {
        view.pause();
        super.onPause();
    }

    @Override
    protected void onResume() {
        super.onResume();
        view.resume();
    }

    @Override
    protected void onDestroy() {
        view.destroy();
        super.onDestroy();
    }
}
