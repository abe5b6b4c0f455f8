// Declaration for compiling against Android 6, which does not have this class of Android 8. Not part of an app.
package android.webkit;

public abstract class RenderProcessGoneDetail {}
