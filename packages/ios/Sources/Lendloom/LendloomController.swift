// The hosted page in a web view: its channel, loading, expiry, and pages of other sites.
#if canImport(WebKit)
import SafariServices
import UIKit
import WebKit

/// The app around the controller.
@MainActor
public protocol LendloomDelegate: AnyObject {
    /// Request an `embedUrl` from your server: when the screen opens, when the session has expired, and when the borrower
    /// retries.
    func embedUrl() async throws -> URL
    /// The borrower can use the page; called once.
    func lendloomIsReady()
    /// A lifecycle update: refresh your screen, but rely on the webhook that your server receives.
    func lendloomDidUpdate(status: String, json: String)
    /// From the page: OFFLINE, BUSY. From the controller: OFFLINE or BUSY if the page did not load, TIMEOUT if it did not
    /// answer in time, RENEWAL if `embedUrl` gave no new address of the platform, NO_APP if no app opens an address.
    func lendloomFailed(code: String, retryable: Bool)
    /// The borrower has finished or wants to leave: close the screen.
    func lendloomDidExit()
}

extension LendloomDelegate {
    public func lendloomIsReady() {}
    public func lendloomDidUpdate(status: String, json: String) {}
    public func lendloomFailed(code: String, retryable: Bool) {}
}

/// Shows a journey.
public final class LendloomController: UIViewController {
    private let platform: URL
    private weak var delegate: LendloomDelegate?
    /// Covers the page until it is ready. The page is not hidden, because iOS suspends hidden pages.
    let cover = UIView()
    private let progress = UIActivityIndicatorView(style: .large)
    let retry: UIButton
    private let timeout: TimeInterval
    private(set) var web: WKWebView?
    private var timer: Task<Void, Never>?
    private var request: Task<Void, Never>?
    private var currentUrl: URL?
    private var isReady = false

    /// - Parameters:
    ///   - platform: the origin of the platform, such as https://lendloom.example, in lower case
    ///   - timeout: seconds after which the retry button appears
    public init(
        platform: URL, delegate: LendloomDelegate, retryTitle: String = "Try again", timeout: TimeInterval = 15
    ) {
        self.platform = platform
        self.delegate = delegate
        self.timeout = timeout
        retry = UIButton(type: .system)
        super.init(nibName: nil, bundle: nil)
        retry.setTitle(retryTitle, for: .normal)
        retry.addAction(UIAction { [weak self] _ in self?.open() }, for: .touchUpInside)
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) {
        fatalError("create the controller in code")
    }

    deinit {
        timer?.cancel()
        request?.cancel()
    }

    public override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        cover.backgroundColor = .systemBackground
        fill(view.safeAreaLayoutGuide, with: cover)
        for shown in [progress, retry] {
            shown.translatesAutoresizingMaskIntoConstraints = false
            cover.addSubview(shown)
            NSLayoutConstraint.activate([
                shown.centerXAnchor.constraint(equalTo: cover.centerXAnchor),
                shown.centerYAnchor.constraint(equalTo: cover.centerYAnchor),
            ])
        }
        open()
    }

    /// Requests an address and shows its page.
    public func open() {
        guard request == nil else { return }
        show(progress)
        restartTimer()
        request = Task { [weak self] in
            let url = try? await self?.delegate?.embedUrl()
            // Cancelled by the timeout.
            guard let self, !Task.isCancelled else { return }
            self.request = nil
            // A link works once, so the same link would expire again at once, without end.
            guard let url, url != self.currentUrl, self.isOfPlatform(url) else { return self.fail("RENEWAL") }
            self.load(url)
        }
    }

    /// Goes to the page's previous screen. Returns false if there is none: close your screen then.
    public func goBack() -> Bool {
        guard let web, cover.isHidden, web.canGoBack else { return false }
        web.goBack()
        return true
    }

    private func load(_ url: URL) {
        currentUrl = url
        // A new web view has no history, in which a swipe back would lead to used links.
        web?.removeFromSuperview()
        let created = makeWeb()
        web = created
        fill(view.safeAreaLayoutGuide, with: created)
        view.bringSubviewToFront(cover)
        show(progress)
        restartTimer()
        created.load(URLRequest(url: url))
    }

    private func makeWeb() -> WKWebView {
        let configuration = WKWebViewConfiguration()
        configuration.userContentController.add(WeakHandler(self), name: "lendloom")
        let created = WKWebView(frame: .zero, configuration: configuration)
        created.allowsBackForwardNavigationGestures = true
        created.navigationDelegate = self
        created.uiDelegate = self
        return created
    }

    private func fill(_ area: UILayoutGuide, with shown: UIView) {
        shown.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(shown)
        NSLayoutConstraint.activate([
            shown.topAnchor.constraint(equalTo: area.topAnchor),
            shown.bottomAnchor.constraint(equalTo: area.bottomAnchor),
            shown.leadingAnchor.constraint(equalTo: area.leadingAnchor),
            shown.trailingAnchor.constraint(equalTo: area.trailingAnchor),
        ])
    }

    private func restartTimer() {
        timer?.cancel()
        timer = Task { [weak self, timeout] in
            try? await Task.sleep(nanoseconds: UInt64(timeout * 1_000_000_000))
            if !Task.isCancelled { self?.fail("TIMEOUT") }
        }
    }

    /// Offers a retry, which requests a new address.
    private func fail(_ code: String) {
        timer?.cancel()
        request?.cancel()
        request = nil
        show(retry)
        delegate?.lendloomFailed(code: code, retryable: true)
    }

    private func show(_ shown: UIView) {
        progress.isHidden = shown !== progress
        retry.isHidden = shown !== retry
        cover.isHidden = shown === web
        web?.accessibilityElementsHidden = shown !== web
        if shown === progress { progress.startAnimating() } else { progress.stopAnimating() }
    }

    fileprivate func receive(_ message: WKScriptMessage) {
        let sender = message.frameInfo.securityOrigin
        guard message.webView === web, message.frameInfo.isMainFrame, sender.protocol == platform.scheme,
              sender.host == platform.host, sender.port == platform.port ?? 0, let text = message.body as? String
        else { return }
        switch PageMessage.parse(text) {
        case let .update(status, json)?: delegate?.lendloomDidUpdate(status: status, json: json)
        case .ready?:
            timer?.cancel()
            if let web { show(web) }
            if !isReady { delegate?.lendloomIsReady() }
            isReady = true
        case .sessionExpired?: open()
        case let .error(code, retryable)?: delegate?.lendloomFailed(code: code, retryable: retryable)
        case let .open(url)?: openOutside(url)
        case .exit?: delegate?.lendloomDidExit()
        case nil: break
        }
    }

    private func isOfPlatform(_ url: URL) -> Bool {
        url.scheme == platform.scheme && url.host == platform.host && url.port == platform.port
    }

    /// Opens a page of another site in a browser tab, and telephone, mail and UPI addresses in their app.
    private func openOutside(_ url: URL) {
        switch url.scheme {
        case "http", "https": present(SFSafariViewController(url: url), animated: true)
        case "tel", "mailto", "upi":
            UIApplication.shared.open(url, options: [:]) { [weak self] isOpened in
                if !isOpened { self?.delegate?.lendloomFailed(code: "NO_APP", retryable: false) }
            }
        default: break
        }
    }
}

extension LendloomController: WKNavigationDelegate {
    public func webView(
        _ webView: WKWebView, decidePolicyFor action: WKNavigationAction,
        decisionHandler: @escaping @MainActor (WKNavigationActionPolicy) -> Void
    ) {
        guard let url = action.request.url, !isOfPlatform(url) else { return decisionHandler(.allow) }
        decisionHandler(.cancel)
        if action.targetFrame?.isMainFrame ?? true { openOutside(url) }
    }

    public func webView(
        _ webView: WKWebView, decidePolicyFor response: WKNavigationResponse,
        decisionHandler: @escaping @MainActor (WKNavigationResponsePolicy) -> Void
    ) {
        let status = (response.response as? HTTPURLResponse)?.statusCode ?? 200
        let hasFailed = response.isForMainFrame && status >= 400
        decisionHandler(hasFailed ? .cancel : .allow)
        if hasFailed, webView === web { fail("BUSY") }
    }

    public func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: Error
    ) {
        let problem = error as NSError
        // Navigation that was cancelled, here or by a newer one, is not a failure.
        guard webView === web, problem.domain == NSURLErrorDomain, problem.code != NSURLErrorCancelled else { return }
        fail("OFFLINE")
    }

    /// The platform keeps the borrower's input, so a new page continues where the ended process was.
    public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
        if webView === web { open() }
    }
}

extension LendloomController: WKUIDelegate {
    public func webView(
        _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration, for action: WKNavigationAction,
        windowFeatures: WKWindowFeatures
    ) -> WKWebView? {
        if let url = action.request.url, isOfPlatform(url) { webView.load(action.request) }
        return nil
    }

    /// The page uses no camera and no microphone: KYC has them in the browser tab.
    public func webView(
        _ webView: WKWebView, requestMediaCapturePermissionFor origin: WKSecurityOrigin,
        initiatedByFrame frame: WKFrameInfo, type: WKMediaCaptureType,
        decisionHandler: @escaping @MainActor (WKPermissionDecision) -> Void
    ) {
        decisionHandler(.deny)
    }
}

/// The content controller keeps its handler alive; without this the screen would never be freed.
private final class WeakHandler: NSObject, WKScriptMessageHandler {
    private weak var target: LendloomController?

    init(_ target: LendloomController) {
        self.target = target
    }

    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
        target?.receive(message)
    }
}
#endif
