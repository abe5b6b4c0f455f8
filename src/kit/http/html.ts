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
  /** Returns all elements with this name that contain the element, from the inside out. */
  around(name: string): HtmlElement[]
  /** Returns the text inside the element, with a single space for all consecutive white space. */
  text(): string
  /** Returns the text inside the element as it stands. */
  rawText(): string
}

/** Parses a page like a browser, which accepts any text. */
export const readHtml = (page: string): HtmlElement => wrap(parser().parse(page))

/** The element of each node, so that an element that was found twice is the same. */
const elements = new WeakMap<Node, HtmlElement>()

function wrap(node: Element | parse5.DefaultTreeAdapterTypes.Document): HtmlElement {
  const known = elements.get(node)
  if (known) return known
  const element: HtmlElement = {
    name: node.nodeName,
    attributes: Object.fromEntries(('attrs' in node ? node.attrs : []).map(({ name, value }) => [name, value])),
    all: (...names) =>
      [...descendantsOf(node)].flatMap((child) =>
        'tagName' in child && names.includes(child.nodeName) ? wrap(child) : [],
      ),
    around: (name) => [...ancestorsOf(node)].flatMap((each) => (each.nodeName === name ? wrap(each) : [])),
    text: () => rawTextOf(node).replace(/\s+/g, ' ').trim(),
    rawText: () => rawTextOf(node),
  }
  elements.set(node, element)
  return element
}

const rawTextOf = (node: Node): string =>
  [...descendantsOf(node)].map((child) => ('value' in child ? child.value : '')).join('')

function* ancestorsOf(node: Node): Generator<Element> {
  let parent = 'parentNode' in node ? node.parentNode : null
  while (parent && 'tagName' in parent) {
    yield parent
    parent = parent.parentNode
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
