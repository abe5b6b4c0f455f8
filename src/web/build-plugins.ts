// Plugins of the web build: what no browser could load fails it, and a library is mended.
import { isBuiltin } from 'node:module'
import type { Plugin } from 'vite'

/** Vite alone puts an empty module in the place of Node's: the page that needs one would fail when it is opened. */
export const forBrowsers: Plugin = {
  name: 'for-browsers',
  enforce: 'pre',
  resolveId(source, importer) {
    if (isBuiltin(source)) throw new Error(`${importer} needs ${source}, which no browser has`)
  },
}

/** uPlot fails to load when `navigator.language` is not a valid Intl locale. */
export const chartsInAnyLocale: Plugin = {
  name: 'charts-in-any-locale',
  transform: (code, id) => (/uplot/i.test(id) ? code.replace('nav.language', "'en-IN'") : null),
}
