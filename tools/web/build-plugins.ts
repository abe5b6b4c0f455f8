// Plugins of the web build: reject imports of Node modules, work around a bug of uPlot, and lower the design tokens.
import { isBuiltin } from 'node:module'
import { everyToken } from '@lendloom/design/style'
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

/** Replaces the tokens by hexadecimal values without `light-dark()`, as in the pages that servers make. */
export const lowerTokens: Plugin = {
  name: 'lower-tokens',
  enforce: 'pre',
  transform: (_code, id) => (id.endsWith('/packages/design/src/tokens.css') ? everyToken() : null),
}
