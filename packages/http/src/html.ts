// Parses HTML pages of other systems. Only this file uses the parser library.

import { lazily } from '@lendloom/foundation/lazily'
import { load } from '@lendloom/foundation/load-package'
import type * as parse5 from 'parse5'

const parser = lazily((): typeof parse5 => load('parse5'))

type Node = parse5.DefaultTreeAdapterTypes.Node
type Element = parse5.DefaultTreeAdapterTypes.Element

export interface HtmlElement {
  name: string
  attributes: Record<string, string>
  /** Returns all descendants with one of these names, in document order. */
  all(...names: string[]): HtmlElement[]
  /** Returns the first descendant with this id. */
  byId(id: string): HtmlElement | undefined
  /** Returns the children that are elements with this name. */
  children(name: string): HtmlElement[]
  /** Returns all elements with this name that contain the element, from the inside out. */
  around(name: string): HtmlElement[]
  /** Returns the form that submits a control without a `form` attribute. */
  form(): HtmlElement | undefined
  /** Returns the text inside the element, with a single space for all consecutive white space. */
  text(): string
  /** Returns the text inside the element as it stands. */
  rawText(): string
}

/** Parses a page like a browser, which accepts any text. */
export const readHtml = (page: string): HtmlElement => wrap(parser().parse(page, { treeAdapter: treeAdapter() }))

/**
 * The form that was open when the parser created an element, and how many moves there were before. The form need not
 * contain the element: in a table, a form ends at once, and an end tag that does not match leaves it open.
 */
const openForms = new WeakMap<Node, { form: Element; moves: number }>()

/** The latest move of a node: the parser moves nodes to mend misnested tags. */
const moveOf = new WeakMap<Node, number>()
let moves = 0

const treeAdapter = lazily((): typeof parse5.defaultTreeAdapter => {
  const { defaultTreeAdapter } = parser()
  return {
    ...defaultTreeAdapter,
    onElementCreated(element, { formElement, isInTemplate }) {
      if (formElement && !isInTemplate) openForms.set(element, { form: formElement, moves })
    },
    detachNode(node) {
      moves++
      moveOf.set(node, moves)
      defaultTreeAdapter.detachNode(node)
    },
  }
})

/** Returns the form of an element in the parsed page. An element that was moved without its form has lost it. */
function formOf(node: Node): Element | undefined {
  const open = openForms.get(node)
  const around = [...ancestorsOf(node)].find(({ nodeName }) => nodeName === 'form')
  if (!open) return around
  const { form } = open
  const aroundForm = new Set<Node>([form, ...ancestorsOf(form)])
  const ownPath = [node, ...ancestorsOf(node)].filter((each) => !aroundForm.has(each))
  const wasMoved = ownPath.some((each) => (moveOf.get(each) ?? 0) > open.moves)
  return wasMoved ? around : form
}

/** The element of each node, so that an element that was found twice is the same. */
const elements = new WeakMap<Node, HtmlElement>()

function wrap(node: Element | parse5.DefaultTreeAdapterTypes.Document): HtmlElement {
  const known = elements.get(node)
  if (known) return known
  const element: HtmlElement = {
    name: node.nodeName,
    attributes: attributesOf(node),
    all: (...names) =>
      [...descendantsOf(node)].flatMap((child) =>
        'tagName' in child && names.includes(child.nodeName) ? wrap(child) : [],
      ),
    byId(id) {
      for (const child of descendantsOf(node))
        if ('tagName' in child && attributesOf(child).id === id) return wrap(child)
    },
    children: (name) =>
      childrenOf(node).flatMap((child) => ('tagName' in child && child.nodeName === name ? wrap(child) : [])),
    around: (name) => [...ancestorsOf(node)].flatMap((each) => (each.nodeName === name ? wrap(each) : [])),
    form() {
      const form = formOf(node)
      return form && wrap(form)
    },
    text: () => rawTextOf(node).replace(/\s+/g, ' ').trim(),
    rawText: () => rawTextOf(node),
  }
  elements.set(node, element)
  return element
}

const attributesOf = (node: Node): Record<string, string> =>
  Object.fromEntries(('attrs' in node ? node.attrs : []).map(({ name, value }) => [name, value]))

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
