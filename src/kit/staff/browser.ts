// Names the browser and operating system of a request, for the list of sessions.

const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
]
const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** `Chrome, Android`; `unknown` for an unrecognized header. */
export function browserOf(userAgent: string | string[] | undefined): string {
  const text = String(userAgent ?? '').slice(0, 500)
  const names = [browsers, systems].map((list) => list.find(([, pattern]) => pattern.test(text))?.[0])
  return names.filter((name) => name !== undefined).join(', ') || 'Unknown browser'
}
