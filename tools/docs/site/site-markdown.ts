// Adapts the Markdown of the repository to the site: links, tabs and diagrams.
import type { MarkdownRenderer } from 'vitepress'
import { isRelative, linkTarget, pagePathOf, siteDocuments } from './page-paths.ts'
import { drawDiagrams } from './site-diagrams.ts'

/** A group of code blocks, or a code block with a file name, which becomes the title of its only tab. */
const tabs = /^<!-- tabs -->\n([\s\S]*?)\n<!-- end tabs -->$|^(```\w+ \[[^\]]+\]\n[\s\S]*?^```)$/gm

export async function siteMarkdown(): Promise<(md: MarkdownRenderer) => void> {
  const diagrams = await drawDiagrams()
  const documents = new Map(siteDocuments().map((path) => [pagePathOf(path), path]))
  return (md) => {
    // On GitHub the comments are invisible, so that the code blocks follow each other there.
    md.core.ruler.before('normalize', 'tabs', (state) => {
      state.src = state.src.replace(
        tabs,
        (_, group?: string, file?: string) => `::: code-group\n${group ?? `\n${file}\n`}\n:::`,
      )
    })
    md.core.ruler.push('links', (state) => {
      const document = documents.get(state.env.relativePath)
      if (document === undefined) return
      for (const token of state.tokens.flatMap(({ children }) => children ?? [])) adaptLink(token, document)
    })
    md.core.ruler.push('diagrams', (state) => {
      for (const token of state.tokens) {
        const diagram = token.type === 'fence' && token.info === 'mermaid' ? diagrams.get(token.content) : undefined
        if (diagram === undefined) continue
        token.type = 'html_block'
        token.content = `<div class="diagram" tabindex="0" role="group" aria-label="Diagram" v-pre>${diagram}</div>\n`
      }
    })
  }
}

interface LinkToken {
  type: string
  tag: string
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
  attrs: [string, string][] | null
}

let isUnlinked = false

/** Links to source files become text with the path as title: the site does not have them. */
function adaptLink(token: LinkToken, document: string): void {
  if (token.type === 'link_close' && isUnlinked) {
    token.tag = 'span'
    isUnlinked = false
  }
  const href = token.type === 'link_open' ? token.attrGet('href') : null
  if (href === null || !isRelative(href)) return
  const target = linkTarget(document, href)
  if (target) {
    token.attrSet('href', target.path)
    return
  }
  isUnlinked = true
  token.type = 'source_open'
  token.tag = 'span'
  token.attrs = [
    ['class', 'source'],
    ['title', `In the repository: ${href.replace(/^(\.\.\/)+/, '')}`],
  ]
}
