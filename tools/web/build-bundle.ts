// Bundles the entries of the web build: the page, its later chunks, which import from the page, and its first markup.
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { borrowerBrowsers, targetsOf } from '@lendloom/design/browsers'
import type { DeferredFiles } from '@lendloom/page/page/chunk-urls'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { rejectNodeModules } from './build-plugins.ts'
import { sdkValues } from './sdk-files.ts'

export const root = join(import.meta.dirname, '..', '..')

export const commonConfig: InlineConfig = {
  root,
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  define: { 'process.env.NODE_ENV': '"production"', 'window.__PREACT_SIGNALS_DEVTOOLS__': 'false', ...sdkValues() },
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset
export const isChunk = (output: Output): output is Rolldown.OutputChunk => output.type === 'chunk'
const isAsset = (output: Output): output is Rolldown.OutputAsset => output.type === 'asset'

export function outputOf(result: Awaited<ReturnType<typeof build>>): Output[] {
  if ('close' in result) throw new Error('vite started a watcher instead of a single build')
  return [result].flat().flatMap(({ output }) => output)
}

/** Bundles an entry into a script and, if it imports styles, a style sheet. Does not write files. */
export async function bundle(entry: string, format: 'iife' | 'es', plugins: Plugin[] = [], define = {}) {
  const lib = {
    entry: join(root, entry),
    formats: [format],
    name: 'Lendloom',
    fileName: 'script',
    cssFileName: 'style',
  }
  const rolldownOptions = { treeshake: { propertyReadSideEffects: false as const, unknownGlobalSideEffects: false } }
  const built = await build({
    ...commonConfig,
    define: { ...commonConfig.define, ...define },
    plugins: [rejectNodeModules, ...plugins],
    build: { write: false, target: targetsOf(borrowerBrowsers), minify: true, lib, rolldownOptions },
  })
  const output = outputOf(built)
  const script = output.find(isChunk)
  if (!script) throw new Error(`${entry} produces no script`)
  const css = String(output.find(isAsset)?.source ?? '').replace(/\/\*\$vite\$[^*]*\*\//, '')
  return { code: script.code.trim(), modules: script.moduleIds, style: css.trim() }
}

export interface SharedModules {
  modules: string[]
  names: string[]
}

/** The file that a name leads to, beside its importer or by the door of the icons. */
const fileOf = (name: string, importer: string): string =>
  name === '@lendloom/design/icon' ? join(root, 'packages/design/src/icon.tsx') : resolve(dirname(importer), name)

/** Imports the shared modules from the page by name. Fails for a name that `shared-exports.ts` or `later-shared-exports.ts` lacks. */
export function bundleDeferred(entry: string, { modules, names }: SharedModules, files: Partial<DeferredFiles> = {}) {
  const pageModule = '\0page'
  const plugin: Plugin = {
    name: 'from-the-page',
    enforce: 'pre',
    resolveId(id, importer) {
      const isInPage = /^@?preact\b/.test(id) || (importer && modules.includes(fileOf(id, importer)))
      return isInPage ? pageModule : null
    },
    load: (id) =>
      id === pageModule ? names.map((name, i) => `export const ${name} = lendloom[${i}]\n`).join('') : null,
  }
  return bundle(entry, 'iife', [plugin], { LATER_FILES: JSON.stringify(files) })
}

type Prerender = typeof import('@lendloom/page/prerender')
export async function prerender(): Promise<Prerender> {
  const input = join(root, 'apps', 'page', 'src', 'prerender.tsx')
  const built = await build({
    ...commonConfig,
    ssr: { noExternal: true },
    build: { write: false, ssr: input, rolldownOptions: { input } },
  })
  const chunk = outputOf(built).find(isChunk)
  return import(`data:text/javascript;base64,${Buffer.from(chunk?.code ?? '').toString('base64')}`)
}

/** The names in the list of a file, in their order. */
export const namesIn = (file: string): string[] =>
  readFileSync(join(root, file), 'utf8').split(' = [')[1]?.split(']')[0]?.match(/\w+/g) ?? []
