// Serves the files of a built static site: pages without an ending in their address, assets with hashed names, texts.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ownValue } from '@lendloom/foundation/record'
import { codeOf } from '@lendloom/foundation/thrown'
import { acceptsCoding } from './compress-answer.ts'
import { pageHeaders, sourceOf } from './page-frame.ts'
import { type Answer, type Arrival, answer } from './route.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.yml': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** A part of a path that cannot leave the directory or name a hidden file. */
const safeSegment = /^[\w@][\w@.-]*$/

/** Returns the file at a path below the site's address, which begins with a slash; null if there is none. */
export async function siteAnswer(directory: string, path: string, headers: Arrival['headers']): Promise<Answer | null> {
  const segments = path.split('/').filter(Boolean)
  if (!segments.every((segment) => safeSegment.test(segment))) return null
  const name = segments.join('/')
  const type = ownValue(types, extname(name))
  const names = type === undefined ? [`${name || 'index'}.html`, `${name}/index.html`] : [name]
  for (const each of names) {
    const plain = await contentOf(join(directory, each))
    if (plain) return fileAnswer({ file: join(directory, each), plain, type: type ?? types['.html'] }, headers)
  }
  return null
}

interface SiteFile {
  file: string
  plain: Buffer
  type: string | undefined
}

async function fileAnswer({ file, plain, type = '' }: SiteFile, headers: Arrival['headers']): Promise<Answer> {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const isHashed = file.includes('/assets/') && /\.[\w-]{8}(\.lean)?\.\w{1,10}$/.test(file)
  const common = {
    ...(type.startsWith('text/html') && pageHeaders(policyOf(plain.toString('utf8')))),
    'content-type': type,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    etag,
  }
  if (String(headers['if-none-match'] ?? '').includes(etag)) return answer(304, null, common)
  const brotli = acceptsCoding(String(headers['accept-encoding'] ?? ''), 'br') ? await contentOf(`${file}.br`) : null
  return answer(200, brotli ?? plain, { ...common, ...(brotli && { 'content-encoding': 'br' }) })
}

/** Allows exactly the inline scripts of the page. Highlighted code has its colours in style attributes. */
const policyOf = (page: string) => ({
  'script-src': ["'self'", ...new Set(inlineScripts(page).map(sourceOf))].join(' '),
  'style-src': `'self'`,
  'style-src-attr': `'unsafe-inline'`,
  'img-src': `'self' data:`,
  'connect-src': `'self'`,
})

const inlineScripts = (page: string): string[] =>
  page
    .split('<script')
    .slice(1)
    .filter((script) => !script.slice(0, script.indexOf('>')).includes(' src='))
    .map((script) => script.slice(script.indexOf('>') + 1, script.indexOf('</script>')))

async function contentOf(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return null
    throw error
  }
}
