// Builds dist/web: the hosted page per language, its deferred chunks, the SDK, the demo and the console.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { accentTokens } from '@lendloom/design/accent'
import { staffBrowsers, targetsOf } from '@lendloom/design/browsers'
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
} from '@lendloom/design/style'
import { rulesFollowingTheme, themableRules } from '@lendloom/design/theme'
import { replaceFiles } from '@lendloom/files/replace-folder'
import { allOf } from '@lendloom/foundation/all-of'
import { messagesOf } from '@lendloom/foundation/message-format'
import { isOneOf, keysOf, recordOf } from '@lendloom/foundation/record'
import { languages } from '@lendloom/lending/language'
import type { DeferredFiles } from '@lendloom/page/page/chunk-urls'
import { catalogues, textFilesOf } from '@lendloom/page/text/catalogues'
import { revealLabels } from '@lendloom/wire/console/journeys'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { build } from 'vite'
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
} from './build-bundle.ts'
import { fixChartLocale, lowerTokens, rejectNodeModules } from './build-plugins.ts'
import { documentOf, hashOf, noscriptStyle } from './document.ts'
import { sdkFiles } from './sdk-files.ts'

/** Tests pass another directory. */
const outputFolder = resolve(process.argv[2] ?? join(root, 'dist', 'web'))

const compress = (content: string, quality = 11): Buffer =>
  brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  })

const outputs = new Map<string, string | Buffer>()
function addOutput(path: string, content: string, compressed?: Buffer): void {
  outputs.set(path, content)
  if (compressed) outputs.set(`${path}.br`, compressed)
}

const shortHashOf = (content: string): string => hashOf(content).slice(0, 10).replace(/[+/]/g, '-')

/** Writes a file with a hash of its content in the name, so that browsers may cache it forever. Returns its URL. */
function asset(name: string, ending: string, content: string, quality?: number): string {
  const file = `${name}.${shortHashOf(content)}.${ending}`
  addOutput(join('assets', file), content, compress(content, quality))
  return `/lab/assets/${file}`
}

const [main, sdkModule, sdkScript, demo, { prerenderPage }] = await Promise.all([
  bundle('apps/page/src/main.tsx', 'iife'),
  bundle('packages/browser-sdk/src/lendloom.ts', 'es'),
  bundle('packages/browser-sdk/src/lendloom.ts', 'iife'),
  bundle('apps/demo/src/main.tsx', 'iife'),
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
      addOutput(`${file}.${version}.json`, json, compress(json))
    }
  return version
}
const textVersion = putTexts()

const shared: SharedModules = { modules: main.modules, names: namesIn('apps/page/src/page/shared-exports.ts') }
const laterShared: SharedModules = {
  modules: [...main.modules, ...(await bundleDeferred('apps/page/src/page/later-shared-exports.ts', shared)).modules],
  names: [...shared.names, ...namesIn('apps/page/src/page/later-shared-exports.ts')],
}
const laterEntries: Record<keyof DeferredFiles, string> = {
  funds: 'funds/funds-chunk',
  gold: 'gold/gold-chunk',
  complaints: 'help/complaints-chunk',
  requests: 'loan/requests-chunk',
  loan: 'loan-chunk',
  final: 'offers/final-offer-chunk',
  help: 'help/help-chunk',
  ended: 'loan/ended-chunk',
  consents: 'profile/given-consents-chunk',
  choose: 'offers/choose-chunk',
  offers: 'choosing-chunk',
}
const laterNames = keysOf(laterEntries)
const laterScripts = await allOf(
  recordOf(
    laterNames,
    async (name) => (await bundleDeferred(`apps/page/src/${laterEntries[name]}.tsx`, laterShared)).code,
  ),
)
const laterFiles = recordOf(laterNames, (name) => asset(name, 'js', laterScripts[name]))
const screensBundle = await bundleDeferred('apps/page/src/journey-chunk.tsx', shared, laterFiles)
const script = main.code
const screens = asset('screens', 'js', screensBundle.code)
const firstRules = inlineTokens(main.style, 'large')
const laterRules = rulesFollowingTheme(screensBundle.style)
/** The first response sets the colours of its own rules, and every colour that a theme changes. */
const isFirstColour = (name: string): boolean => firstRules.includes(`var(${name})`) || isOneOf(accentTokens, name)
const colours = colourTokensIn(firstRules + laterRules)
const firstColours = colours.filter(isFirstColour)
const laterColours = colours.filter((name) => !isFirstColour(name))
const style = rootOf(tokensNamed(firstColours), rootFont(tokenOf('--sans').light)) + firstRules
const laterStyle = rootOf(tokensNamed(laterColours)) + laterRules
const sheet = asset('screens', 'css', laterStyle)
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
}

const builtSdk = { 'lendloom.js': sdkScript.code, 'lendloom.mjs': sdkModule.code }
for (const [path, content] of Object.entries(sdkFiles(builtSdk)))
  addOutput(join('sdk', path), content, compress(content))
const demoFiles = {
  script: asset('demo', 'js', demo.code),
  style: asset('demo', 'css', styleOf(demo.style) + themesFor(controls + demo.style)),
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
        input: join(root, 'apps', 'console', 'src', 'main.tsx'),
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
  if (contents.get(style.fileName)?.includes('oklch(')) throw new Error('the console has tokens that are not lowered')
  return { script: `/lab/assets/${entry.fileName}`, style: `/lab/assets/${style.fileName}` }
}

/** Scalar's own bundle, which needs nothing else. The highest compression would take half a minute for 2 % less. */
function scalarScript(): string {
  const path = join(root, 'node_modules', '@scalar', 'api-reference', 'dist', 'browser', 'standalone.js')
  const content = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
  return asset('scalar', 'js', content, 9)
}

const manifest = {
  scalar: scalarScript(),
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
console.log(`dist/web: ${outputs.size} files`)
