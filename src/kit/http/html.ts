// Parses HTML pages of other systems. Only this file uses the parser library.
import type * as parse5 from 'parse5'
import { load } from '#kit/runtime/load.ts'
import { lazily } from '#kit/runtime/record.ts'

const parser = lazily((): typeof parse5 => load('parse5'))

type Node = parse5.DefaultTreeAdapterTypes.Node
type Element = parse5.DefaultTreeAdapterTypes.Element

export interface HtmlElement {
  name: string
  attributes: Record<string, string>
  /** Returns all descendants with one of these names, in document order. */
  all(...names: string[]): HtmlElement[]
  /** Returns the text inside the element, with a single space for all consecutive white space. */
  text(): string
}

/** Parses a page like a browser, which accepts any text. */
export const readHtml = (page: string): HtmlElement => wrap(parser().parse(page))

function wrap(node: Element | parse5.DefaultTreeAdapterTypes.Document): HtmlElement {
  return {
    name: node.nodeName,
    attributes: Object.fromEntries(('attrs' in node ? node.attrs : []).map(({ name, value }) => [name, value])),
    all: (...names) =>
      [...descendantsOf(node)].flatMap((child) =>
        'tagName' in child && names.includes(child.nodeName) ? wrap(child) : [],
      ),
    text: () =>
      [...descendantsOf(node)]
        .map((child) => ('value' in child ? child.value : ''))
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
  }
}

/** Yields all descendants in document order. Does not use recursion, because the nesting may be arbitrarily deep. */
function* descendantsOf(node: Node): Generator<Node> {
  const stack = childrenOf(node).toReversed()
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    yield current
    for (const child of childrenOf(current).toReversed()) stack.push(child)
  }
}

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])
