// `npm run gauge`: figures of the sources that are worth watching. Nothing enforces them.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { readCosts, testFiles, tiers } from '../setup/queue.ts'
import { casts, filesOfFlow, longFunctions, walks } from './figures.ts'
import { openSources, type Source } from './sources.ts'

const longFile = 500
const lineCountOf = (text: string): number => text.split('\n').length - 1

/** Figures that can list their places. */
const places: Record<string, (sources: Source[]) => string[]> = {
  casts,
  'long functions': longFunctions,
  'long files': (sources) =>
    sources.filter(({ text }) => lineCountOf(text) > longFile).map(({ path, text }) => `${path}:${lineCountOf(text)}`),
}
for (const [walk, entries] of Object.entries(walks))
  places[walk] = (sources) => [...new Set(entries.flatMap(([path, name]) => filesOfFlow(sources, path, name)))]

const help = `npm run gauge [-- FIGURE]

Prints figures of the sources that are worth watching, and warnings; nothing enforces them. With the name of a figure, its places:
${Object.keys(places).join(', ')}`

const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
const [name] = positionals
if (values.help) console.log(help)
else if (name === undefined) printAll()
else if (places[name]) for (const place of places[name](openSources())) console.log(place)
else {
  console.error(`there is no figure "${name}"\n\n${help}`)
  process.exitCode = 1
}

function printAll(): void {
  const sources = openSources()
  console.log('Lines, without tests')
  for (const program of globSync('{apps,packages}/*/package.json').map(dirname).sort())
    print(program, linesOf(`${program}/**/*.{ts,tsx,css,sql}`, false))
  print(
    'tests',
    linesOf('{apps,packages,tests,tools}/**/*.test.{ts,tsx}', true) + linesOf('tests/setup/**/*.ts', false),
  )

  console.log('\nFiles that a reader opens on a walk')
  for (const walk of Object.keys(walks)) print(walk, places[walk]!(sources).length)

  console.log('\nSources of the programs')
  print('casts', casts(sources).length)
  print('long functions', longFunctions(sources).length, 'of more than 80 lines')
  print('long files', places['long files']!(sources).length, `of more than ${longFile} lines`)

  console.log('\nRecorded seconds of the tests, file after file; of them, processors without PostgreSQL')
  const costs = readCosts()
  for (const tier of tiers) {
    const files = testFiles(tier, costs)
    const total = (what: 'seconds' | 'processor') => Math.round(files.reduce((sum, file) => sum + file[what], 0))
    print(tier, total('seconds'), `${total('processor')} of a processor, in ${files.length} files`)
  }

  printPage()
  printWarnings(sources)
}

function printPage(): void {
  console.log('\nBytes of the hosted page, compressed; `npm run bench -- page` measures what a borrower feels')
  if (!existsSync('dist/web/embed.en.html')) return void console.log('  not built: npm run build')
  print('first response', Math.max(...globSync('dist/web/embed.*.html').map(compressedBytes)))
  print(
    'all its scripts',
    globSync('dist/web/assets/{screens,funds,gold,loan,final,choose,offers}.*.js').reduce(
      (sum, path) => sum + compressedBytes(path),
      0,
    ),
  )
}

/** Names what is long, in tests too. It fails nothing. */
function printWarnings(sources: Source[]): void {
  const longTests = globSync('{apps,packages,tests,tools}/**/*.test.{ts,tsx}')
    .concat(globSync('tests/setup/**/*.ts'))
    .filter((path) => !path.includes('node_modules'))
    .map((path) => `${path}:${lineCountOf(readFileSync(path, 'utf8'))}`)
    .filter((place) => Number(place.split(':')[1]) > longFile)
  const warnings = [
    ...places['long files']!(sources)
      .concat(longTests.sort())
      .map((place) => `${place} lines in a file`),
    ...longFunctions(sources).map((place) => `${place} begins a function of more than 80 lines`),
  ]
  if (warnings.length > 0) console.log(`\nWarnings: files of more than ${longFile} lines, functions of more than 80`)
  for (const warning of warnings) console.log(`  ${warning}`)
}

function print(what: string, figure: number, note = ''): void {
  console.log(`  ${what.padEnd(18)}${figure.toLocaleString('en').padStart(8)}  ${note}`.trimEnd())
}

function compressedBytes(path: string): number {
  return brotliCompressSync(readFileSync(path)).length
}

/** Lines of these files, of tests or without them. */
function linesOf(pattern: string, areTests: boolean): number {
  return globSync(pattern)
    .filter((path) => /\.test\.tsx?$/.test(path) === areTests && !/node_modules|\/dist\//.test(path))
    .reduce((sum, path) => sum + lineCountOf(readFileSync(path, 'utf8')), 0)
}
