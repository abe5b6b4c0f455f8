// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "Lendloom",
    platforms: [.iOS(.v15)],
    products: [.library(name: "Lendloom", targets: ["Lendloom"])],
    targets: [.target(name: "Lendloom")]
)
