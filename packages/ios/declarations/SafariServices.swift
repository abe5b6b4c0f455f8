// Declarations for checking types without the iOS SDK. Not part of an app.
import UIKit

public final class SFSafariViewController: UIViewController {
    public init(url: URL) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { nil }
}
