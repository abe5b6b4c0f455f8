// Declarations and simple stand-ins for checking the controller without the iOS SDK. Not part of an app.
@_exported import Foundation

@MainActor open class UIView {
    public var isHidden = false
    public var accessibilityElementsHidden = false
    public var backgroundColor: UIColor?
    public var translatesAutoresizingMaskIntoConstraints = true
    public let safeAreaLayoutGuide = UILayoutGuide()
    public let topAnchor = NSLayoutAnchor<AnyObject>()
    public let bottomAnchor = NSLayoutAnchor<AnyObject>()
    public let leadingAnchor = NSLayoutAnchor<AnyObject>()
    public let trailingAnchor = NSLayoutAnchor<AnyObject>()
    public let centerXAnchor = NSLayoutAnchor<AnyObject>()
    public let centerYAnchor = NSLayoutAnchor<AnyObject>()
    public init() {}
    public private(set) var subviews: [UIView] = []
    private weak var superview: UIView?
    public func addSubview(_ view: UIView) {
        subviews.append(view)
        view.superview = self
    }
    public func removeFromSuperview() { superview?.subviews.removeAll { $0 === self } }
    public func bringSubviewToFront(_ view: UIView) {}
}

@MainActor public final class UILayoutGuide {
    public let topAnchor = NSLayoutAnchor<AnyObject>()
    public let bottomAnchor = NSLayoutAnchor<AnyObject>()
    public let leadingAnchor = NSLayoutAnchor<AnyObject>()
    public let trailingAnchor = NSLayoutAnchor<AnyObject>()
}

@MainActor public final class NSLayoutAnchor<Kind> {
    public func constraint(equalTo anchor: NSLayoutAnchor<Kind>) -> NSLayoutConstraint { NSLayoutConstraint() }
}

@MainActor public final class NSLayoutConstraint {
    public static func activate(_ constraints: [NSLayoutConstraint]) {}
}

public final class UIColor: Sendable {
    public static let systemBackground = UIColor()
}

public final class UIActivityIndicatorView: UIView {
    public enum Style { case large }
    public init(style: Style) { super.init() }
    public func startAnimating() {}
    public func stopAnimating() {}
}

@MainActor public final class UIAction {
    public let handler: @MainActor (UIAction) -> Void
    public init(handler: @escaping @MainActor (UIAction) -> Void) { self.handler = handler }
}

public final class UIButton: UIView {
    public enum ButtonType { case system }
    public enum State { case normal }
    public enum Event { case touchUpInside }
    public init(type: ButtonType) { super.init() }
    public func setTitle(_ title: String?, for state: State) {}
    public private(set) var actions: [UIAction] = []
    public func addAction(_ action: UIAction, for event: Event) { actions.append(action) }
}

@MainActor open class UIViewController: NSObject {
    public var view: UIView! = UIView()
    public init(nibName: String?, bundle: Bundle?) {}
    public required init?(coder: NSCoder) {}
    open func viewDidLoad() {}
    public private(set) var presented: [UIViewController] = []
    public func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        presented.append(controller)
    }
}

@MainActor public final class UIApplication {
    public struct OpenExternalURLOptionsKey: Hashable {}
    public static let shared = UIApplication()
    public private(set) var opened: [URL] = []
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        opened.append(url)
        completionHandler?(url.scheme != "upi")
    }
}
