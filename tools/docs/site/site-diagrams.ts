// Draws the Mermaid diagrams of the documents as SVG, so that readers load no script for them.
import { renderMermaid } from 'beautiful-mermaid'
import { readDocument, siteDocuments } from './page-paths.ts'

const fencedDiagram = /^```mermaid\n([\s\S]*?)^```$/gm

/** Draws all diagrams, because the renderer of Markdown cannot wait for them. Keyed by source. */
export async function drawDiagrams(): Promise<Map<string, string>> {
  const sources = siteDocuments().flatMap((path) =>
    [...readDocument(path).matchAll(fencedDiagram)].map(([, source = '']) => source),
  )
  const draw = async (source: string) => [source, adapted(await renderMermaid(supportedSyntax(source)))] as const
  return new Map(await Promise.all(sources.map(draw)))
}

/** Rewrites what the library does not support in flows, which go down, because a column of text is narrow. */
function supportedSyntax(source: string): string {
  if (!source.startsWith('flowchart')) return source
  const [, ...lines] = withoutFrames(source)
    .replaceAll('<br/>', ' ')
    .replace(/--\s*"([^"]*)"\s*-->/g, '-->|$1|')
    .replace(/-\.\s*"([^"]*)"\s*\.->/g, '-.->|$1|')
    .replace(/([[({|])"([^"]*)"(?=[\])}|])/g, '$1$2')
    .split('\n')
  // The label of a node counts only at its first use.
  const isNode = (line: string) => /^\s*\w+\[[^\]]*\]$/.test(line)
  return ['flowchart TD', ...lines.filter(isNode), ...lines.filter((line) => !isNode(line))].join('\n')
}

/** Arrows between frames would pass behind nodes. A frame that an arrow leads to becomes a node. */
function withoutFrames(source: string): string {
  const frame = /^\s*subgraph (\w+) ?(\[.*\])$/gm
  const frames = [...source.matchAll(frame)].filter(([, id]) => new RegExp(`>\\s*${id}$`, 'm').test(source))
  const nodes = frames.map(([, id, label]) => `${id}${label}`)
  return [source.replace(frame, '').replace(/^\s*end$/gm, ''), ...nodes].join('\n')
}

/** The theme has colours and font, which the library would load from another server. Removes empty labels. */
const adapted = (svg: string): string =>
  svg
    .replace(/<style>[\s\S]*?<\/style>/, '')
    .replace(/<rect[^>]*>\n<text[^>]*>&quot;&quot;<\/text>/g, '')
    .replace(/<text[^>]*>\(no attributes\)<\/text>/g, '')
    .replace(/^<svg ([^>]*?width="(\d+)[^>]*?) style="[^"]*"/, (_, attributes, width) => {
      // A wide drawing shrinks with the page while its text stays legible; then it can be scrolled.
      return `<svg ${attributes} style="min-width:${Math.round(Number(width) * 0.75)}px" role="img"`
    })
