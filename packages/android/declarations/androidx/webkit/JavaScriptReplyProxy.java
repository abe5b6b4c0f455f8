// Declarations for compiling without androidx.webkit. Not part of an app.
package androidx.webkit;

public abstract class JavaScriptReplyProxy {}
