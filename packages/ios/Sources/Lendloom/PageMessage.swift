// A message of the hosted page, parsed and validated. Needs only Foundation.
import Foundation

public enum PageMessage: Equatable {
    /// A lifecycle update; `json` is the whole message.
    case update(status: String, json: String)
    case ready
    case sessionExpired
    case error(code: String, retryable: Bool)
    /// Open this page of another site, an http or https address.
    case open(URL)
    case exit

    /// Returns nil for a text that is not a message, and for a message that an app ignores.
    public static func parse(_ text: String) -> PageMessage? {
        guard let body = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else { return nil }
        if let borrower = body["borrower"] {
            let journey = (borrower as? [String: Any])?["journey"] as? [String: Any]
            return (journey?["status"] as? String).map { .update(status: $0, json: text) }
        }
        switch body["type"] as? String {
        case "lab.ready": return .ready
        case "lab.session_expired": return .sessionExpired
        case "lab.exit": return .exit
        case "lab.error":
            return (body["code"] as? String).map { .error(code: $0, retryable: body["retryable"] as? Bool ?? false) }
        case "lab.open":
            guard let text = body["url"] as? String, let url = URL(string: text), let scheme = url.scheme,
                  ["http", "https"].contains(scheme), url.host != nil else { return nil }
            return .open(url)
        default: return nil
        }
    }
}
