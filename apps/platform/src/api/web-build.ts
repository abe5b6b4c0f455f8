// The output of the web build: documents, assets and hashes, shared by the APIs that serve pages.

import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import type { ThemedRules } from '@lendloom/design/theme'
import { type Cache, cache } from '@lendloom/foundation/cache'
import { ownValue, recordOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import { codeOf } from '@lendloom/foundation/thrown'
import { acceptsCoding } from '@lendloom/http/compress-answer'
import { type Language, languages } from '@lendloom/lending/language'

export interface WebBuild {
  documents: Record<Language, string>
  /** Keyed by request path: `/lab/assets/…`, `/sdk/…`. */
  files: Map<string, { type: string; plain: Buffer; brotli: Buffer | null }>
  /** Base64 SHA-256 hashes of the inline script and styles, for the content security policy. */
  scriptHash: string
  styleHash: string
  noscriptHash: string
  demo: { script: string; style: string }
  console: { script: string; style: string }
  /** The address of Scalar's script, which shows the API reference. */
  scalar: string
  themed: ThemedRules
  poweredBy: Record<Language, string>
  /** The text of a page that is loading. */
  working: Record<Language, string>
  /** Compressed documents, keyed by language, theme and origins. */
  packed: Cache<Buffer>
  styles: Cache<ThemeStyle>
}

export interface ThemeStyle {
  style: string
  hash: string
}

export interface StaticAnswer {
  headers: Record<string, string>
  body: Buffer
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}

/** Reads a build into memory. Throws if a file is missing, or has an unknown media type. */
export function readWebBuild(directory: string): WebBuild {
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  const files: WebBuild['files'] = new Map()
  for (const [folder, prefix] of [
    ['assets', '/lab/assets/'],
    ['sdk', '/sdk/'],
  ] as const) {
    const names = filesIn(join(directory, folder))
    for (const name of names.filter((each) => !each.endsWith('.br'))) {
      const path = join(directory, folder, name)
      const brotli = names.includes(`${name}.br`) ? readFileSync(`${path}.br`) : null
      files.set(prefix + name, {
        type: required(ownValue(types, extname(name)), `the media type of ${name}`),
        plain: readFileSync(path),
        brotli,
      })
    }
  }
  const documents = recordOf(languages, (language) => read(`embed.${language}.html`))
  return { ...JSON.parse(read('embed.json')), documents, files, packed: documentCache(), styles: styleCache() }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  )

export const documentCache = (): Cache<Buffer> =>
  cache({ name: 'documents', maxBytes: 8 << 20, lifetimeMs: 86_400_000 })

export const styleCache = (): Cache<ThemeStyle> =>
  cache({ name: 'theme-styles', maxBytes: 4 << 20, lifetimeMs: 86_400_000, weigh: ({ style }) => style.length })

/**
 * Returns a file of the page, the SDK or the demo by its path; null if absent. Files with a hash or version in the path
 * are cached forever.
 */
export function webAsset(build: WebBuild, path: string, acceptEncoding: string | undefined): StaticAnswer | null {
  const file = build.files.get(path)
  if (!file) return null
  const isForApps = path.startsWith('/sdk/')
  const isImmutable = !isForApps || /^\/sdk\/.+\//.test(path)
  const brotli = acceptsCoding(acceptEncoding, 'br') ? file.brotli : null
  return {
    headers: {
      'content-type': file.type,
      'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      'cross-origin-resource-policy': isForApps ? 'cross-origin' : 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(isForApps && { 'access-control-allow-origin': '*' }),
      ...(brotli && { 'content-encoding': 'br' }),
    },
    body: brotli ?? file.plain,
  }
}

let build: WebBuild | undefined

/** The build is missing or incomplete; the message names the command that creates it. */
export class NoWebBuild extends Error {
  override name = 'NoWebBuild'
}

/** Returns the build of this installation, from `npm run build`; throws `NoWebBuild`. */
export function webBuild(): WebBuild {
  build ??= buildIn(join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'web'))
  return build
}

/** Reads the build in a directory; throws `NoWebBuild` if a file of it is missing. */
export function buildIn(directory: string): WebBuild {
  try {
    return readWebBuild(directory)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new NoWebBuild(`the web pages are not built (${directory}): run npm run build`, { cause: error })
  }
}
