// Finds links of the built site that lead nowhere: to a missing file, or to a missing heading of a page.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function deadLinks(directory: string, base: string): string[] {
  const pages = new Map(
    globSync('**/*.html', { cwd: directory }).map((path) => [path, readFileSync(join(directory, path), 'utf8')]),
  )
  const idsOf = new Map(
    [...pages].map(([path, html]) => [path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  )
  const isAlive = (from: string, href: string): boolean => {
    const [path = '', anchor] = href.split('#')
    const file = path === '' ? from : path.slice(base.length).replace(/(^|\/)$/, '$1index')
    const page = path === '' ? from : `${file}.html`
    const ids = idsOf.get(page)
    if (!ids) return path.startsWith(base) && existsSync(join(directory, file))
    return anchor === undefined || anchor === '' || ids.has(decodeURIComponent(anchor))
  }
  return [...pages].flatMap(([path, html]) => {
    const links = [...html.matchAll(/<a\b[^>]*? href="([^"]+)"[^>]*>/g)]
    return links
      .filter(
        ([tag, href = '']) =>
          (/^#/.test(href) || href.startsWith(base)) && !tag.includes('_self') && !isAlive(path, href),
      )
      .map(([, href]) => `${path}: ${href}`)
  })
}
