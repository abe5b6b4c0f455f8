// Text files of the site for programs: each page as Markdown, `llms.txt` and `llms-full.txt`. Also copies linked files.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import {
  contents,
  home,
  isRelative,
  linkTarget,
  pagePathOf,
  readDocument,
  siteDocuments,
  titleOf,
} from './page-paths.ts'

const guides = ['tutorials/', 'how-to/', 'explanation/']

export function writeSiteTexts(directory: string, base: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  const linked = new Set<string>()
  const pages = siteDocuments().map((document) => {
    const path = pagePathOf(document) ?? ''
    const text = readDocument(document).replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, words: string, href: string) => {
      if (!isRelative(href)) return whole
      const target = linkTarget(document, href)
      if (target?.isFile) linked.add(target.path)
      return target ? `[${words}](${base}${target.path.slice(1)})` : words
    })
    write(path, text)
    return { path, text }
  })
  for (const path of linked) cpSync(join(home, 'docs', path), join(directory, path))
  write('llms.txt', index(pages, base))
  const full = guides.flatMap((folder) => pages.filter(({ path }) => path.startsWith(folder)))
  write('llms-full.txt', full.map(({ path, text }) => `<!-- ${base}${path} -->\n\n${text.trim()}\n`).join('\n'))
}

/** Writes a copy compressed by brotli beside each text, which servers send to browsers that accept it. */
export function compressTexts(directory: string): void {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 }
  for (const path of globSync('**/*.{html,js,css,json,md,txt}', { cwd: directory })) {
    const text = readFileSync(join(directory, path))
    if (text.length > minBytes) writeFileSync(join(directory, `${path}.br`), brotliCompressSync(text, { params }))
  }
}

const minBytes = 1200

/** The index by the convention of https://llmstxt.org. */
function index(pages: { path: string; text: string }[], base: string): string {
  const textOf = new Map(pages.map(({ path, text }) => [path, text]))
  const parts = contents().map(({ title, groups }) => {
    const links = groups.flatMap((group) => group.links)
    const lines = links.map(({ path }) => {
      const text = textOf.get(path.slice(1).replace(/#.*/, '')) ?? ''
      return `- [${titleOf(text)}](${base}${path.slice(1)}): ${firstSentence(text)}`
    })
    return `## ${title}\n\n${[...new Set(lines)].join('\n')}`
  })
  const about = readDocument('README.md').split('\n\n')[1]
  return `# Lendloom\n\n> ${about}\n\nThe OpenAPI document is at /openapi.json, the API reference at /docs. ${base}llms-full.txt has all guides in one file.\n\n${parts.join('\n\n')}\n`
}

const firstSentence = (markdown: string): string => {
  const paragraph = markdown.split('\n\n').find((each) => /^[\w`*[]/.test(each)) ?? ''
  return paragraph
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/(\.) .*$/, '$1')
}
