// The page of supported browsers, from the versions that the build targets.
import { type BrowserVersions, borrowerBrowsers, staffBrowsers } from '@lendloom/design/browsers'
import { page, table } from './markdown.ts'

const row = (what: string, { chrome, firefox, safari }: BrowserVersions): string[] => [what, chrome, firefox, safari]

export const browserPage = (): string =>
  page(
    'Supported browsers',
    'The earliest supported versions. The build translates scripts and styles for them; older browsers may show pages without styles, or not at all.',
    table(
      [
        'Page',
        'Chrome, Edge, Samsung Internet by its Chromium, Android WebView',
        'Firefox',
        'Safari, WKWebView of iOS',
      ],
      [
        row('The borrower’s page, and an app’s page with the SDK', borrowerBrowsers),
        row('Console, desk and demo', staffBrowsers),
      ],
    ),
    'Every browser of an iPhone is Safari. Pages need JavaScript, except the desk, lenders’ pages and documents.',
    '`npm run test:all` runs every screen in Chromium. `npm run prove -- browsers` carries a loan of each product to the money, and walks through console, desk and mailbox, in Chromium, Debian’s Firefox ESR and WebKitGTK, whose engine is that of Safari. It writes pictures that show the engines beside each other. Not tried: Safari on macOS and iOS, Samsung Internet, and the earliest versions themselves.',
    '## Differences',
    table(
      ['Where', 'What'],
      [
        [
          'Browsers without `location.ancestorOrigins`, such as older versions of Firefox',
          'The page learns the origin of the parent window from the [hello](page-messages.md#the-hello) of the SDK. Without it, exact origins of the application get messages, but a sandbox’s `http://localhost:*` gets none.',
        ],
        ['Scrolling rows in Safari before 18.2', 'They show their scroll bar if the system always shows scroll bars.'],
        ['Passkeys', 'The console offers them if the browser does.'],
      ],
    ),
    'To change a version, edit `packages/design/src/browsers.ts`.',
  )
