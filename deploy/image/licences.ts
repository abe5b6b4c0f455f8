// Writes the licence of every package in the image to one file. Refuses a licence that is not in the list below.
// node deploy/image/licences.ts <file>
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const home = join(import.meta.dirname, '..', '..')

/** Licences without a duty to publish our source. The fonts have the last one. */
const accepted = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
]

/** Packages that name their licence only in a text. */
const named: Record<string, string> = { 'png-js': 'MIT' }

/** Development packages that the build copies into the pages. */
export const bundled = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  '@tanstack/virtual-core',
  'uplot',
  'uqr',
  // Of the documentation site.
  'vitepress',
  'vue',
  '@vue/reactivity',
  '@vue/runtime-core',
  '@vue/runtime-dom',
  '@vue/shared',
  '@vueuse/core',
  '@vueuse/integrations',
  '@vueuse/shared',
  'focus-trap',
  'mark.js',
  'minisearch',
  'tabbable',
]

interface Licence {
  name: string
  version: string
  licence: string
  text: string
}

/** Throws if a package has no accepted licence. */
export function licencesOf(root = home): Licence[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const folders = Object.keys(packages).filter((folder) => {
    const { dev: isDev, optional: isOptional, link: isLink } = packages[folder]
    const isOurs = isLink || !folder.startsWith('node_modules/')
    return !isOurs && ((!isDev && !isOptional) || bundled.includes(folder.replace('node_modules/', '')))
  })
  const licences = folders.map((folder) => licenceIn(root, folder))
  const refused = licences
    .filter(({ licence }) => !isAccepted(licence))
    .map(({ name, licence }) => `${name}: ${licence}`)
  if (refused.length > 0) throw new Error(`licences to be accepted by a person first: ${refused.join(', ')}`)
  return licences
}

/** An expression such as `(MIT OR GPL-3.0)` needs one accepted licence, `MIT AND OFL-1.1` needs both. */
const isAccepted = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((each) => accepted.includes(each.trim())))

function licenceIn(root: string, folder: string): Licence {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const files = globSync('{LICEN[CS]E,licen[cs]e,NOTICE}*', { cwd: join(root, folder) }).sort()
  const text = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim()).join('\n\n')
  return { name, version, licence: license ?? named[name] ?? 'none', text: text || 'The package has no licence text.' }
}

if (import.meta.main) {
  const [file = 'licences.txt'] = process.argv.slice(2)
  const entries = licencesOf().map(({ name, version, licence, text }) => `${name} ${version}: ${licence}\n\n${text}\n`)
  writeFileSync(file, [...new Set(entries)].join(`\n${'-'.repeat(80)}\n\n`))
}
