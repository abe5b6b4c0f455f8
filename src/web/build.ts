// Builds what browsers get into dist/web: the page as one response per language, the later screens, the SDK, the demo.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'
import { revealLabels } from '#contract/console/journeys.ts'
import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { languages } from '#contract/language.ts'
import { colourTokensIn, controls, inlineTokens, styleOf, themesFor, tokensFor } from '#kit/design/style.ts'
import { rulesFollowingTheme, themableRules } from '#kit/design/theme.ts'
import { messagesOf } from '#kit/runtime/message-format.ts'
import { chartsInAnyLocale, forBrowsers } from './build-plugins.ts'
import { documentOf, hashOf, noscriptStyle } from './document.ts'
import type { DeferredFiles } from './embed/page/files.ts'
import { catalogues, textFilesOf } from './embed/text/catalogues.ts'

const here = import.meta.dirname
const root = join(here, '..', '..')
/** Another directory may be given, for tests. */
const out = resolve(process.argv[2] ?? join(root, 'dist', 'web'))

/** In bytes, brotli 11. A figure above its budget fails the build. */
const budgets = {
  'first response': 16_000,
  'all scripts of the journey': 40_000,
  'a later chunk': 8_500,
  'style sheet': 4_000,
  'texts of a language': 6_000,
  'browser SDK': 2_000,
  'first load of the console': 90_000,
  'an area of the console': 25_000,
}
type Budget = keyof typeof budgets

const common: InlineConfig = {
  root,
  configFile: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  define: { 'process.env.NODE_ENV': '"production"' },
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset
const isChunk = (output: Output): output is Rolldown.OutputChunk => output.type === 'chunk'
const isAsset = (output: Output): output is Rolldown.OutputAsset => output.type === 'asset'

/** One build's output; several formats, or a watcher, are not configured. */
function outputOf(built: Awaited<ReturnType<typeof build>>): Output[] {
  if ('close' in built) throw new Error('the build watches instead of ending')
  return [built].flat().flatMap(({ output }) => output)
}

/** Bundles one entry into scripts for browsers, and its style sheet where it has one; nothing is written. */
async function bundle(entry: string, format: 'iife' | 'es', plugins: Plugin[] = [], define = {}) {
  const lib = {
    entry: join(here, entry),
    formats: [format],
    name: 'Lendloom',
    fileName: 'script',
    cssFileName: 'style',
  }
  const rolldownOptions = { treeshake: { propertyReadSideEffects: false as const, unknownGlobalSideEffects: false } }
  const built = await build({
    ...common,
    define: { ...common.define, ...define },
    plugins: [forBrowsers, ...plugins],
    build: { write: false, target: 'chrome87', minify: true, lib, rolldownOptions },
  })
  const output = outputOf(built)
  const script = output.find(isChunk)
  if (!script) throw new Error(`${entry} gives no script`)
  return {
    code: script.code.trim(),
    modules: script.moduleIds,
    style: String(output.find(isAsset)?.source ?? '').trim(),
  }
}

/**
 * Bundles a later chunk. Modules of the page are imported from the page by name; bundling fails for a name that the
 * page does not export (`shared.ts`).
 */
function bundleDeferred(entry: string, page: string[], names: string[], files: Partial<DeferredFiles> = {}) {
  const given = '\0page'
  const plugin: Plugin = {
    name: 'from-the-page',
    enforce: 'pre',
    resolveId(id, importer) {
      const inPage = /^@?preact\b/.test(id) || (importer && page.includes(resolve(dirname(importer), id)))
      return inPage ? given : null
    },
    load: (id) => (id === given ? names.map((name) => `export const ${name} = lendloom.${name}\n`).join('') : null),
  }
  return bundle(entry, 'iife', [plugin], { LATER_FILES: JSON.stringify(files) })
}

type Prerender = typeof import('./embed/prerender.tsx')
async function prerender(): Promise<Prerender> {
  const input = join(here, 'embed', 'prerender.tsx')
  const built = await build({
    ...common,
    ssr: { noExternal: true },
    build: { write: false, ssr: input, rolldownOptions: { input } },
  })
  const chunk = outputOf(built).find(isChunk)
  return import(`data:text/javascript;base64,${Buffer.from(chunk?.code ?? '').toString('base64')}`)
}

const compressed = (content: string): Buffer =>
  brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  })

const figures: { what: string; budget: Budget | null; bytes: number; plain: number }[] = []
function measured(what: string, budget: Budget | null, content: string): Buffer {
  const packed = compressed(content)
  figures.push({ what, budget, bytes: packed.length, plain: Buffer.byteLength(content) })
  return packed
}

function put(path: string, content: string, packed?: Buffer): void {
  writeFileSync(join(out, path), content)
  if (packed) writeFileSync(join(out, `${path}.br`), packed)
}

const shortHashOf = (content: string): string => hashOf(content).slice(0, 10).replace(/[+/]/g, '-')

/** A file whose name changes with its content, so that it may be cached forever. */
function asset(name: string, ending: string, content: string, budget: Budget | null): string {
  const file = `${name}.${shortHashOf(content)}.${ending}`
  put(join('assets', file), content, measured(`assets/${name}.${ending}`, budget, content))
  return `/lab/assets/${file}`
}

const started = performance.now()
const [main, sdkModule, sdkScript, demo, first] = await Promise.all([
  bundle('embed/main.tsx', 'iife'),
  bundle('sdk/lendloom.ts', 'es'),
  bundle('sdk/lendloom.ts', 'iife'),
  bundle('demo/main.tsx', 'iife'),
  prerender(),
])
rmSync(out, { recursive: true, force: true })
mkdirSync(join(out, 'assets'), { recursive: true })
mkdirSync(join(out, 'sdk'))

/** All files of texts have one version in their names, so that the page knows where each is without a list. */
function putTexts(): string {
  const files = languages.map((language) => ({ language, texts: Object.entries(textFilesOf(language)) }))
  const version = shortHashOf(JSON.stringify(files))
  for (const { language, texts } of files)
    for (const [name, content] of texts) {
      const file = `assets/${name}-${language}`
      const json = JSON.stringify(content)
      put(`${file}.${version}.json`, json, measured(`${file}.json`, 'texts of a language', json))
    }
  return version
}
const textVersion = putTexts()

// A chunk names the files that it fetches, so those are built before it.
const fundsChunk = (await bundleDeferred('embed/funds/funds.tsx', main.modules, first.sharedNames)).code
const funds = asset('funds', 'js', fundsChunk, 'a later chunk')
const goldChunk = (await bundleDeferred('embed/gold/gold.tsx', main.modules, first.sharedNames)).code
const gold = asset('gold', 'js', goldChunk, 'a later chunk')
const complaintsChunk = (await bundleDeferred('embed/help/complaints.tsx', main.modules, first.sharedNames)).code
const complaints = asset('complaints', 'js', complaintsChunk, 'a later chunk')
const requestsChunk = (await bundleDeferred('embed/loan/requests.tsx', main.modules, first.sharedNames)).code
const requests = asset('requests', 'js', requestsChunk, 'a later chunk')
const loanFiles = { funds, gold, complaints, requests }
const loanChunk = (await bundleDeferred('embed/chosen.tsx', main.modules, first.sharedNames, loanFiles)).code
const loan = asset('loan', 'js', loanChunk, 'a later chunk')
const finalFiles = { funds, loan }
const finalChunk = (await bundleDeferred('embed/offers/final-offer.tsx', main.modules, first.sharedNames, finalFiles))
  .code
const final = asset('final', 'js', finalChunk, 'a later chunk')
const helpChunk = (await bundleDeferred('embed/help/help.tsx', main.modules, first.sharedNames)).code
const help = asset('help', 'js', helpChunk, 'a later chunk')
const endedChunk = (await bundleDeferred('embed/loan/ended.tsx', main.modules, first.sharedNames, { gold })).code
const ended = asset('ended', 'js', endedChunk, 'a later chunk')
const givenChunk = (await bundleDeferred('embed/profile/given.tsx', main.modules, first.sharedNames)).code
const given = asset('given', 'js', givenChunk, 'a later chunk')
const chooseFiles = { funds, final, gold }
const chooseChunk = (await bundleDeferred('embed/offers/choose.tsx', main.modules, first.sharedNames, chooseFiles)).code
const choose = asset('choose', 'js', chooseChunk, 'a later chunk')
const whereLoan = { ...loanFiles, final, loan, choose }
const offersChunk = (await bundleDeferred('embed/choosing.tsx', main.modules, first.sharedNames, whereLoan)).code
const offers = asset('offers', 'js', offersChunk, 'a later chunk')
const later = await bundleDeferred('embed/journey.tsx', main.modules, first.sharedNames, {
  ...whereLoan,
  offers,
  ended,
  help,
  given,
})
const [script, chunk] = [main.code, later.code] as const
const screens = asset('screens', 'js', chunk, 'a later chunk')
const firstRules = inlineTokens(main.style, 'large')
const laterRules = rulesFollowingTheme(later.style)
const style = tokensFor(firstRules + laterRules) + firstRules
const sheet = asset('screens', 'css', laterRules, null)
for (const language of languages) {
  const texts = messagesOf(catalogues[language].first)
  // The document itself has the text for browsers without scripts.
  const { 'page.noscript': _, ...bootTexts } = texts
  const boot = {
    language,
    texts: bootTexts,
    textVersion,
    screens,
    sheet,
    consentVersion: currentConsentVersion,
    hostOrigins: [],
  }
  const html = documentOf({ language, texts, boot, script, style, markup: first.prerendered(language, texts) })
  put(`embed.${language}.html`, html)
  measured(`embed.${language}.html`, 'first response', html)
}
measured('style sheets together', 'style sheet', style + laterRules)
measured('script, within the response', null, script)
measured(
  'page and later screens',
  'all scripts of the journey',
  // Help, complaints, requests, endings and given consents are loaded on demand.
  script + chunk + offersChunk + chooseChunk + finalChunk + loanChunk + fundsChunk + goldChunk,
)

put(join('sdk', 'lendloom.mjs'), sdkModule.code, measured('sdk/lendloom.mjs', 'browser SDK', sdkModule.code))
put(join('sdk', 'lendloom.js'), sdkScript.code, measured('sdk/lendloom.js', 'browser SDK', sdkScript.code))
const demoFiles = {
  script: asset('demo', 'js', demo.code, null),
  style: asset('demo', 'css', styleOf(demo.style) + themesFor(controls + demo.style), null),
}

/** The console is loaded by area: its entry has the common part, and each area is a chunk. */
async function buildConsole() {
  const built = await build({
    ...common,
    base: '/lab/assets/',
    define: { ...common.define, REVEAL_LABELS: JSON.stringify(revealLabels) },
    plugins: [forBrowsers, chartsInAnyLocale],
    build: {
      write: false,
      target: 'chrome123',
      minify: true,
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(here, 'console', 'main.tsx'),
        output: {
          entryFileNames: 'console.[hash].js',
          chunkFileNames: 'console-[name].[hash].js',
          assetFileNames: 'console.[hash][extname]',
        },
      },
    },
  })
  const files = outputOf(built)
  const contents = new Map(files.map((file) => [file.fileName, isChunk(file) ? file.code : String(file.source)]))
  for (const [name, content] of contents) put(join('assets', name), content, compressed(content))
  const entry = files.filter(isChunk).find(({ isEntry }) => isEntry)
  const style = files.find(({ fileName }) => fileName.endsWith('.css'))
  if (!entry || !style) throw new Error('the console has no script or no style')
  const first = [entry.fileName, ...entry.imports, style.fileName]
  measured('the console, first load', 'first load of the console', first.map((name) => contents.get(name)).join(''))
  for (const { fileName, code } of files.filter(isChunk))
    if (!first.includes(fileName)) measured(fileName.replace(/\.[\w-]+\.js$/, ''), 'an area of the console', code)
  return { script: `/lab/assets/${entry.fileName}`, style: `/lab/assets/${style.fileName}` }
}

const manifest = {
  console: await buildConsole(),
  scriptHash: hashOf(script),
  styleHash: hashOf(style),
  noscriptHash: hashOf(noscriptStyle),
  /** For themed pages: the style of the first response before a theme is applied. */
  themed: { rules: themableRules(main.style), colours: colourTokensIn(main.style + later.style) },
  poweredBy: Object.fromEntries(languages.map((each) => [each, catalogues[each].later['page.powered']])),
  demo: demoFiles,
}
put('embed.json', `${JSON.stringify(manifest, null, 2)}\n`)

for (const { what, budget, bytes, plain } of figures)
  console.log(
    `${what.padEnd(36)}${String(plain).padStart(8)}${String(bytes).padStart(8)} br${budget ? `  of ${budgets[budget]}` : ''}`,
  )
console.log(`built in ${Math.round(performance.now() - started)} ms`)
const over = figures.filter(({ budget, bytes }) => budget !== null && bytes > budgets[budget])
if (over.length > 0) {
  console.error(`over budget: ${over.map(({ what }) => what).join(', ')}`)
  process.exitCode = 1
}
