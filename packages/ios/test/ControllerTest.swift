// Runs the controller with stand-ins of UIKit and WebKit: compile.sh, on a computer without iOS.
import Foundation
import UIKit
import WebKit

@MainActor final class App: LendloomDelegate {
    var urls: [String?]
    var calls: [String] = []
    init(_ urls: [String?]) { self.urls = urls }

    func embedUrl() async throws -> URL {
        guard let text = urls.isEmpty ? nil : urls.removeFirst() else { throw CancellationError() }
        if text == "never" { try await Task.sleep(nanoseconds: 60_000_000_000) }
        return URL(string: text)!
    }
    func lendloomIsReady() { calls.append("ready") }
    func lendloomDidUpdate(status: String, json: String) { calls.append("update \(status)") }
    func lendloomFailed(code: String, retryable: Bool) { calls.append("\(code) \(retryable)") }
    func lendloomDidExit() { calls.append("exit") }
}

@MainActor func pause(_ ms: UInt64 = 30) async { try? await Task.sleep(nanoseconds: ms * 1_000_000) }
@MainActor func check(_ condition: Bool, _ what: String) { precondition(condition, what) }

@MainActor func opened(_ app: App, timeout: TimeInterval = 5) async -> LendloomController {
    let platform = URL(string: "https://lendloom.example")!
    let controller = LendloomController(platform: platform, delegate: app, timeout: timeout)
    controller.viewDidLoad()
    await pause()
    return controller
}

/// Sends a message of the page, or of another frame, or of a page elsewhere.
@MainActor func send(
    _ text: Any, to controller: LendloomController, from view: WKWebView? = nil, isMainFrame: Bool = true,
    host: String = "lendloom.example", port: Int = 0
) {
    let web = view ?? controller.web!
    let frame = WKFrameInfo(isMainFrame: isMainFrame, securityOrigin: WKSecurityOrigin("https", host, port))
    let handler = web.configuration.userContentController.handlers["lendloom"]!
    let message = WKScriptMessage(body: text, webView: web, frameInfo: frame)
    handler.userContentController(web.configuration.userContentController, didReceive: message)
}

@MainActor func policy(_ url: String, _ controller: LendloomController) -> WKNavigationActionPolicy {
    var policy = WKNavigationActionPolicy.cancel
    let action = WKNavigationAction(request: URLRequest(url: URL(string: url)!))
    controller.webView(controller.web!, decidePolicyFor: action) { policy = $0 }
    return policy
}

let first = "https://lendloom.example/lab/embed#token=bt_1"
let second = "https://lendloom.example/lab/embed#token=bt_2"
let ready = #"{"type":"lab.ready"}"#
let expired = #"{"type":"lab.session_expired"}"#
let exit = #"{"type":"lab.exit"}"#

@main struct ControllerTest {
    @MainActor static func main() async {
        checkMessages()
        await hearsOnlyThePage()
        await continuesAfterExpiry()
        await offersRetries()
        await opensOtherPagesOutside()
        print("the controller behaved as expected")
    }

    @MainActor static func hearsOnlyThePage() async {
        let app = App([first])
        let controller = await opened(app)
        check(controller.web?.url?.absoluteString == first && !controller.cover.isHidden, "the page loads under the cover")
        send(exit, to: controller, isMainFrame: false)
        send(exit, to: controller, host: "evil.example")
        send(exit, to: controller, port: 8443)
        send(7, to: controller)
        check(app.calls.isEmpty && !controller.cover.isHidden, "foreign messages are ignored")
        send(ready, to: controller)
        send(ready, to: controller)
        send(#"{"borrower":{"journey":{"status":"STARTED"}}}"#, to: controller)
        send(#"{"type":"lab.error","code":"BUSY","retryable":true}"#, to: controller)
        send(exit, to: controller)
        check(app.calls == ["ready", "update STARTED", "BUSY true", "exit"] && controller.cover.isHidden, "\(app.calls)")
    }

    @MainActor static func continuesAfterExpiry() async {
        let app = App([first, second, second])
        let controller = await opened(app)
        let old = controller.web!
        send(ready, to: controller)
        send(expired, to: controller)
        send(expired, to: controller)
        await pause()
        check(controller.web !== old && controller.web?.url?.absoluteString == second, "a new web view has the new link")
        check(controller.view.subviews.filter { $0 is WKWebView }.count == 1, "the old one is gone")
        send(exit, to: controller, from: old)
        send(ready, to: controller)
        send(expired, to: controller)
        await pause()
        check(app.calls == ["ready", "RENEWAL true"], "the same link is not loaded again: \(app.calls)")
    }

    @MainActor static func offersRetries() async {
        let app = App([nil, "https://evil.example/", "never", first])
        let controller = await opened(app, timeout: 0.2)
        for expected in [["RENEWAL true"], ["RENEWAL true", "RENEWAL true"]] {
            check(app.calls == expected && !controller.retry.isHidden, "\(app.calls)")
            controller.retry.actions.first!.handler(controller.retry.actions.first!)
            await pause()
        }
        await pause(400)
        check(app.calls.last == "TIMEOUT true" && app.calls.count == 3, "a server that never answers: \(app.calls)")
        controller.open()
        await pause(400)
        check(app.calls.count == 4, "a page that never answers: \(app.calls)")
        send(ready, to: controller)
        check(app.calls.last == "ready" && controller.cover.isHidden, "ready after the timeout")
        controller.webViewWebContentProcessDidTerminate(controller.web!)
        check(!controller.cover.isHidden, "a new page after the end of the process")
    }

    @MainActor static func opensOtherPagesOutside() async {
        let app = App([first])
        let controller = await opened(app)
        check(policy("https://lendloom.example/lab/embed", controller) == .allow, "the platform's pages")
        for url in ["https://lendloom.example@evil.example/", "http://lendloom.example/", "https://lendloom.example:8443/"] {
            check(policy(url, controller) == .cancel, url)
        }
        send(#"{"type":"lab.open","url":"https://lender.example/kyc"}"#, to: controller)
        check(controller.presented.count == 4, "pages of other sites are in a browser tab")
        for url in ["tel:+911234567890", "upi://pay", "intent://x", "file:///etc/passwd"] {
            check(policy(url, controller) == .cancel, url)
        }
        check(UIApplication.shared.opened.map { $0.scheme! } == ["tel", "upi"], "only known schemes")
        check(app.calls == ["NO_APP false"] && controller.presented.count == 4, "\(app.calls)")
    }
}
