// Plugins of the web build: one rejects imports of Node modules, the other works around a bug of uPlot.
import { isBuiltin } from 'node:module'
import type { Plugin } from 'vite'

/** By default Vite replaces a Node module with an empty one, and the page fails only when a user opens it. */
export const rejectNodeModules: Plugin = {
  name: 'reject-node-modules',
  enforce: 'pre',
  resolveId(source, importer) {
    if (isBuiltin(source)) throw new Error(`${importer} imports ${source}, which browsers do not have`)
  },
}

/** uPlot fails to load when `navigator.language` is not a valid Intl locale. */
export const fixChartLocale: Plugin = {
  name: 'fix-chart-locale',
  transform: (code, id) => (/uplot/i.test(id) ? code.replace('nav.language', "'en-IN'") : null),
}
