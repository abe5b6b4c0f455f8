// The browsers that Lendloom supports: the build's targets, and docs/reference/browsers.md.

/** The earliest supported major versions. Edge and Samsung Internet have the version of their Chromium. */
export interface BrowserVersions {
  chrome: string
  firefox: string
  safari: string
}

/** For the borrower's page and its SDK: the first versions with `:has()` and cascade layers. */
export const borrowerBrowsers: BrowserVersions = { chrome: '105', firefox: '121', safari: '15.4' }

/** For console, desk and demo: the first versions with popovers, subgrid and `Object.groupBy`. */
export const staffBrowsers: BrowserVersions = { chrome: '117', firefox: '125', safari: '17.4' }

export const targetsOf = ({ chrome, firefox, safari }: BrowserVersions): string[] => [
  `chrome${chrome}`,
  `edge${chrome}`,
  `firefox${firefox}`,
  `safari${safari}`,
  `ios${safari}`,
]
