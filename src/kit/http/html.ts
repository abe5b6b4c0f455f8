// HTML pages of others, read as a tree: the one file that knows the parser.
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** An element as a reader needs it: its name, its attributes, its own descendants and its text. */
export interface HtmlElement {
  name: string
  attributes: Record<string, string>
  /** All descendants with one of these names, in the order of the page. */
  all(...names: string[]): HtmlElement[]
  /** The text inside, with runs of white space as one space. */
  text(): string
}

/** Reads a page as a browser would: whatever the text, there is a tree. */
export const readHtml = (page: string): HtmlElement => wrap(parse(page))

function wrap(node: Element | DefaultTreeAdapterTypes.Document): HtmlElement {
  return {
    name: node.nodeName,
    attributes: Object.fromEntries(('attrs' in node ? node.attrs : []).map(({ name, value }) => [name, value])),
    all: (...names) => [...descendants(node)].filter((child) => names.includes(child.nodeName)).map(wrap),
    text: () => [...texts(node)].join('').replace(/\s+/g, ' ').trim(),
  }
}

function* descendants(node: Node): Generator<Element> {
  for (const child of childrenOf(node)) {
    if ('tagName' in child) yield child
    yield* descendants(child)
  }
}

function* texts(node: Node): Generator<string> {
  if ('value' in node) yield node.value
  for (const child of childrenOf(node)) yield* texts(child)
}

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])
