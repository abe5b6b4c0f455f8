// Declarations and simple stand-ins for checking the controller without the iOS SDK. Not part of an app.
import UIKit
#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif

public enum WKNavigationActionPolicy { case cancel, allow }
public enum WKNavigationResponsePolicy { case cancel, allow }
public enum WKPermissionDecision { case prompt, grant, deny }
public enum WKMediaCaptureType { case camera, microphone, cameraAndMicrophone }

@MainActor public final class WKSecurityOrigin {
    public let `protocol`: String
    public let host: String
    public let port: Int
    public init(_ scheme: String, _ host: String, _ port: Int) { (self.protocol, self.host, self.port) = (scheme, host, port) }
}
@MainActor public final class WKFrameInfo {
    public let isMainFrame: Bool
    public let securityOrigin: WKSecurityOrigin
    public init(isMainFrame: Bool, securityOrigin: WKSecurityOrigin) {
        (self.isMainFrame, self.securityOrigin) = (isMainFrame, securityOrigin)
    }
}
@MainActor public final class WKScriptMessage {
    public let body: Any
    public weak var webView: WKWebView?
    public let frameInfo: WKFrameInfo
    public init(body: Any, webView: WKWebView?, frameInfo: WKFrameInfo) {
        (self.body, self.webView, self.frameInfo) = (body, webView, frameInfo)
    }
}
@MainActor public protocol WKScriptMessageHandler: NSObjectProtocol {
    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage)
}
@MainActor public final class WKUserContentController {
    public private(set) var handlers: [String: WKScriptMessageHandler] = [:]
    public func add(_ handler: WKScriptMessageHandler, name: String) { handlers[name] = handler }
}
@MainActor public final class WKWebViewConfiguration {
    public var userContentController = WKUserContentController()
    public init() {}
}
@MainActor public final class WKWindowFeatures {}
public final class WKNavigation {}
@MainActor public final class WKNavigationAction {
    public let request: URLRequest
    public let targetFrame: WKFrameInfo? = nil
    public init(request: URLRequest) { self.request = request }
}
@MainActor public final class WKNavigationResponse {
    public let isForMainFrame = true
    public let response: URLResponse
    init(response: URLResponse) { self.response = response }
}
/// Each method that Apple declares optional is required here, so that a wrong signature does not compile.
@MainActor public protocol WKNavigationDelegate: NSObjectProtocol {
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor (WKNavigationActionPolicy) -> Void)
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @MainActor (WKNavigationResponsePolicy) -> Void)
    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: Error)
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}
@MainActor public protocol WKUIDelegate: NSObjectProtocol {
    func webView(
        _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction, windowFeatures: WKWindowFeatures
    ) -> WKWebView?
    func webView(
        _ webView: WKWebView, requestMediaCapturePermissionFor origin: WKSecurityOrigin,
        initiatedByFrame frame: WKFrameInfo, type: WKMediaCaptureType,
        decisionHandler: @escaping @MainActor (WKPermissionDecision) -> Void)
}
public final class WKWebView: UIView {
    public weak var navigationDelegate: WKNavigationDelegate?
    public weak var uiDelegate: WKUIDelegate?
    public var allowsBackForwardNavigationGestures = false
    public var canGoBack: Bool { false }
    public let configuration: WKWebViewConfiguration
    public private(set) var url: URL?
    public init(frame: CGRect, configuration: WKWebViewConfiguration) {
        self.configuration = configuration
        super.init()
    }
    @discardableResult public func load(_ request: URLRequest) -> WKNavigation? {
        url = request.url
        return nil
    }
    @discardableResult public func goBack() -> WKNavigation? { nil }
}
