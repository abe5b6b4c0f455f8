// The pages of the documentation site: which documents they are made of, and the contents in `docs/README.md`.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

export const home = join(import.meta.dirname, '..', '..', '..')

const pagesOutside: Record<string, string> = {
  'ARCHITECTURE.md': 'explanation/architecture.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'README.md': 'index.md',
  'SECURITY.md': 'security.md',
  'examples/network-lender/README.md': 'tutorials/example-network-lender.md',
  'examples/partner/README.md': 'tutorials/example-lender.md',
}

/** The path of a document's page in the site; null if the document is not a page. */
export function pagePathOf(document: string): string | null {
  if (document === 'docs/README.md') return 'contents.md'
  const [, packageName] = /^packages\/([\w-]+)\/README\.md$/.exec(document) ?? []
  if (packageName !== undefined) return `reference/packages/${packageName}.md`
  if (!document.startsWith('docs/') || !document.endsWith('.md')) return pagesOutside[document] ?? null
  return document.slice('docs/'.length).replace(/(^|\/)README\.md$/, '$1index.md')
}

/** The documents of the site. The README of the repository has no page of its own: links to it lead to the start page. */
export const siteDocuments = (): string[] =>
  [
    ...Object.keys(pagesOutside).filter((path) => path !== 'README.md'),
    ...globSync(['docs/**/*.md', 'packages/*/README.md'], { cwd: home }),
  ]
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/**
 * Returns where a relative link of a document leads in the site: to a page, to a file that is copied (`isFile`), or
 * null for a source file, which only the repository has.
 */
export function linkTarget(document: string, href: string): { path: string; isFile: boolean } | null {
  const [relative = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(document), relative)
  const hash = anchor === undefined ? '' : `#${anchor}`
  const linked = [target, posix.join(target, 'README.md')].find(
    (path) => existsSync(join(home, path)) && pagePathOf(path),
  )
  const page = linked === undefined ? null : pagePathOf(linked)
  if (page !== null) return { path: `/${page}${hash}`, isFile: false }
  const isCopied = target.startsWith('docs/') && /\.(json|ya?ml)$/.test(target)
  return isCopied ? { path: target.slice('docs'.length), isFile: true } : null
}

export const isRelative = (href: string): boolean => !/^(?:[a-z]+:|[#/])/i.test(href)

export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

export interface ContentsPart {
  title: string
  /** Empty for links directly below the part's title. */
  groups: { title: string; links: { text: string; path: string }[] }[]
}

/** The contents: headings of `docs/README.md` with their lists of links. A line such as `Operate:` begins a group. */
export function contents(): ContentsPart[] {
  const parts: ContentsPart[] = []
  for (const line of readDocument('docs/README.md').split('\n')) {
    const [, title] = /^## (.+)/.exec(line) ?? []
    const [, group] = /^([A-Z][\w ]+):$/.exec(line) ?? []
    if (title) parts.push({ title, groups: [{ title: '', links: [] }] })
    const part = parts.at(-1)
    if (group) part?.groups.push({ title: group, links: [] })
    for (const [, text = '', href = ''] of line.startsWith('- ') ? line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g) : []) {
      const target = linkTarget('docs/README.md', href)
      if (target && !target.isFile) part?.groups.at(-1)?.links.push({ text, path: target.path })
    }
  }
  return parts
}

export const readDocument = (path: string): string => readFileSync(join(home, path), 'utf8')

export const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? 'Lendloom'
