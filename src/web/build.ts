// Builds dist/web: the hosted page per language, its deferred chunks, the SDK, the demo and the console.
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import { revealLabels } from '#contract/console/journeys.ts'
import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { languages } from '#contract/language.ts'
import { accentTokens } from '#kit/design/accent.ts'
import { staffBrowsers, targetsOf } from '#kit/design/browsers.ts'
import {
  colourTokensIn,
  controls,
  inlineTokens,
  rootFont,
  rootOf,
  styleOf,
  themesFor,
  tokenOf,
  tokensNamed,
} from '#kit/design/style.ts'
import { rulesFollowingTheme, themableRules } from '#kit/design/theme.ts'
import { replaceFiles } from '#kit/files/replace-files.ts'
import { messagesOf } from '#kit/runtime/message-format.ts'
import { allOf, isOneOf, keysOf, recordOf } from '#kit/runtime/record.ts'
import {
  bundle,
  bundleDeferred,
  commonConfig,
  isChunk,
  namesIn,
  outputOf,
  prerender,
  root,
  type SharedModules,
  sourceFolder,
} from './build-bundle.ts'
import { fixChartLocale, lowerTokens, rejectNodeModules } from './build-plugins.ts'
import { documentOf, hashOf, noscriptStyle } from './document.ts'
import type { DeferredFiles } from './embed/page/files.ts'
import { catalogues, textFilesOf } from './embed/text/catalogues.ts'
import { sdkFiles } from './sdk-files.ts'

/** Tests pass another directory. */
const outputFolder = resolve(process.argv[2] ?? join(root, 'dist', 'web'))

/** Maximum sizes in bytes, after compression with brotli 11. The build fails if a size exceeds its budget. */
const budgets = {
  // The server adds the names of the application and of its origins; together they are at most 16,150.
  'first response': 16_000,
  'all scripts of the journey': 40 * 1024,
  'a later chunk': 9_000,
  'style sheet': 4_050,
  'texts of a language': 6_000,
  'browser SDK': 3_000,
  'first load of the console': 90_000,
  'an area of the console': 25_000,
}
type Budget = keyof typeof budgets

const compress = (content: string): Buffer =>
  brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  })

/** Replaces the hashes of other files by a hash of their names, so that a size hardly changes with their content. */
const withFixedHashes = (content: string): string =>
  content.replace(/(\/lab\/assets\/\w+\.)[\w-]{10}(?=\.(?:js|css))/g, (_, path) => path + shortHashOf(path))

const sizes: { label: string; budget: Budget | null; bytes: number; uncompressed: number }[] = []
function measure(label: string, budget: Budget | null, content: string): Buffer {
  const stable = withFixedHashes(content)
  const compressed = compress(content)
  const bytes = Math.max(compressed.length, stable === content ? 0 : compress(stable).length)
  sizes.push({ label, budget, bytes, uncompressed: Buffer.byteLength(content) })
  return compressed
}

const outputs = new Map<string, string | Buffer>()
function addOutput(path: string, content: string, compressed?: Buffer): void {
  outputs.set(path, content)
  if (compressed) outputs.set(`${path}.br`, compressed)
}

const shortHashOf = (content: string): string => hashOf(content).slice(0, 10).replace(/[+/]/g, '-')

/** Writes a file with a hash of its content in the name, so that browsers may cache it forever. Returns its URL. */
function asset(name: string, ending: string, content: string, budget: Budget | null): string {
  const file = `${name}.${shortHashOf(content)}.${ending}`
  addOutput(join('assets', file), content, measure(`assets/${name}.${ending}`, budget, content))
  return `/lab/assets/${file}`
}

const startedAt = performance.now()
const [main, sdkModule, sdkScript, demo, { prerenderPage }] = await Promise.all([
  bundle('embed/main.tsx', 'iife'),
  bundle('sdk/lendloom.ts', 'es'),
  bundle('sdk/lendloom.ts', 'iife'),
  bundle('demo/main.tsx', 'iife'),
  prerender(),
])

/** All text files share one version in their names, so that the page can compute each URL without a list. */
function putTexts(): string {
  const files = languages.map((language) => ({ language, texts: Object.entries(textFilesOf(language)) }))
  const version = shortHashOf(JSON.stringify(files))
  for (const { language, texts } of files)
    for (const [name, content] of texts) {
      const file = `assets/${name}-${language}`
      const json = JSON.stringify(content)
      addOutput(`${file}.${version}.json`, json, measure(`${file}.json`, 'texts of a language', json))
    }
  return version
}
const textVersion = putTexts()

const shared: SharedModules = { modules: main.modules, names: namesIn('embed/page/shared.ts') }
const laterShared: SharedModules = {
  modules: [...main.modules, ...(await bundleDeferred('embed/page/later-shared.ts', shared)).modules],
  names: [...shared.names, ...namesIn('embed/page/later-shared.ts')],
}
const laterEntries: Record<keyof DeferredFiles, string> = {
  funds: 'funds/funds',
  gold: 'gold/gold',
  complaints: 'help/complaints',
  requests: 'loan/requests',
  loan: 'chosen',
  final: 'offers/final-offer',
  help: 'help/help',
  ended: 'loan/ended',
  consents: 'profile/given',
  choose: 'offers/choose',
  offers: 'choosing',
}
const laterNames = keysOf(laterEntries)
const laterScripts = await allOf(
  recordOf(laterNames, async (name) => (await bundleDeferred(`embed/${laterEntries[name]}.tsx`, laterShared)).code),
)
const laterFiles = recordOf(laterNames, (name) => asset(name, 'js', laterScripts[name], 'a later chunk'))
const screensBundle = await bundleDeferred('embed/journey.tsx', shared, laterFiles)
const [script, chunk] = [main.code, screensBundle.code] as const
const screens = asset('screens', 'js', chunk, 'a later chunk')
const firstRules = inlineTokens(main.style, 'large')
const laterRules = rulesFollowingTheme(screensBundle.style)
/** The first response sets the colours of its own rules, and every colour that a theme changes. */
const isFirstColour = (name: string): boolean => firstRules.includes(`var(${name})`) || isOneOf(accentTokens, name)
const colours = colourTokensIn(firstRules + laterRules)
const firstColours = colours.filter(isFirstColour)
const laterColours = colours.filter((name) => !isFirstColour(name))
const style = rootOf(tokensNamed(firstColours), rootFont(tokenOf('--sans').light)) + firstRules
const laterStyle = rootOf(tokensNamed(laterColours)) + laterRules
const sheet = asset('screens', 'css', laterStyle, null)
for (const language of languages) {
  const texts = messagesOf(catalogues[language].first)
  // The document contains this text, for browsers without scripts.
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
  const html = documentOf({ language, texts, boot, script, style, markup: prerenderPage(language, texts) })
  addOutput(`embed.${language}.html`, html)
  measure(`embed.${language}.html`, 'first response', html)
}
measure('style sheets together', 'style sheet', style + laterStyle)
measure('script, within the response', null, script)
measure(
  'page and later screens',
  'all scripts of the journey',
  // Help, complaints, requests, endings and recorded consents are loaded on demand.
  script +
    chunk +
    (['offers', 'choose', 'final', 'loan', 'funds', 'gold'] as const).map((name) => laterScripts[name]).join(''),
)

const builtSdk = { 'lendloom.js': sdkScript.code, 'lendloom.mjs': sdkModule.code }
for (const [path, content] of Object.entries(sdkFiles(builtSdk)))
  addOutput(join('sdk', path), content, measure(`sdk/${path}`, 'browser SDK', content))
const demoFiles = {
  script: asset('demo', 'js', demo.code, null),
  style: asset('demo', 'css', styleOf(demo.style) + themesFor(controls + demo.style), null),
}

async function buildConsole() {
  const built = await build({
    ...commonConfig,
    base: '/lab/assets/',
    define: { ...commonConfig.define, REVEAL_LABELS: JSON.stringify(revealLabels) },
    plugins: [rejectNodeModules, fixChartLocale, lowerTokens],
    build: {
      write: false,
      target: targetsOf(staffBrowsers),
      minify: true,
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(sourceFolder, 'console', 'main.tsx'),
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
  for (const [name, content] of contents) addOutput(join('assets', name), content, compress(content))
  const entry = files.filter(isChunk).find(({ isEntry }) => isEntry)
  const style = files.find(({ fileName }) => fileName.endsWith('.css'))
  if (!entry || !style) throw new Error('the console has no script or no style sheet')
  const initialFiles = [entry.fileName, ...entry.imports, style.fileName]
  measure(
    'the console, first load',
    'first load of the console',
    initialFiles.map((name) => contents.get(name)).join(''),
  )
  for (const { fileName, code } of files.filter(isChunk))
    if (!initialFiles.includes(fileName)) measure(fileName.replace(/\.[\w-]+\.js$/, ''), 'an area of the console', code)
  return { script: `/lab/assets/${entry.fileName}`, style: `/lab/assets/${style.fileName}` }
}

const manifest = {
  console: await buildConsole(),
  scriptHash: hashOf(script),
  styleHash: hashOf(style),
  noscriptHash: hashOf(noscriptStyle),
  /** For themed pages: the style rules of the first response before a theme is applied. */
  themed: { rules: themableRules(main.style), colours: firstColours },
  poweredBy: Object.fromEntries(languages.map((each) => [each, catalogues[each].later['page.powered']])),
  working: Object.fromEntries(languages.map((each) => [each, catalogues[each].first['page.working']])),
  demo: demoFiles,
}
addOutput('embed.json', `${JSON.stringify(manifest, null, 2)}\n`)
replaceFiles(outputFolder, outputs)

for (const { label, budget, bytes, uncompressed } of sizes)
  console.log(
    `${label.padEnd(36)}${String(uncompressed).padStart(8)}${String(bytes).padStart(8)} br${budget ? `  of ${budgets[budget]}` : ''}`,
  )
console.log(`built in ${Math.round(performance.now() - startedAt)} ms`)
const overBudget = sizes.filter(({ budget, bytes }) => budget !== null && bytes > budgets[budget])
if (overBudget.length > 0) {
  console.error(`over budget: ${overBudget.map(({ label }) => label).join(', ')}`)
  process.exitCode = 1
}
