// HTML pages of others, read as a tree: the one file that knows the parser.
import type * as parse5 from 'parse5'
import { load } from '#kit/runtime/load.ts'
import { lazily } from '#kit/runtime/record.ts'

const parser = lazily((): typeof parse5 => load('parse5'))

type Node = parse5.DefaultTreeAdapterTypes.Node
type Element = parse5.DefaultTreeAdapterTypes.Element

/** An element as a reader needs it: its name, its attributes, its own descendants and its text. */
export interface HtmlElement {
  name: string
  attributes: Record<string, string>
  /** All descendants with one of these names, in the order of the page. */
  all(...names: string[]): HtmlElement[]
  /** The text inside, with runs of white space as one space. */
  text(): string
}

/** Parses a page as a browser does: any text gives a tree. */
export const readHtml = (page: string): HtmlElement => wrap(parser().parse(page))

function wrap(node: Element | parse5.DefaultTreeAdapterTypes.Document): HtmlElement {
  return {
    name: node.nodeName,
    attributes: Object.fromEntries(('attrs' in node ? node.attrs : []).map(({ name, value }) => [name, value])),
    all: (...names) =>
      [...inside(node)].flatMap((child) => ('tagName' in child && names.includes(child.nodeName) ? wrap(child) : [])),
    text: () =>
      [...inside(node)]
        .map((child) => ('value' in child ? child.value : ''))
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
  }
}

/** All nodes inside, in the order of the page; without recursion, as a page may nest as deep as it likes. */
function* inside(node: Node): Generator<Node> {
  const left = childrenOf(node).toReversed()
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    yield next
    for (const child of childrenOf(next).toReversed()) left.push(child)
  }
}

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])
