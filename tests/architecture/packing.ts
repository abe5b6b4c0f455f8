// Finds code that packs several things into one: a reader should find one field, declaration or comparison per line.
import { globSync, readFileSync } from 'node:fs'
import { type Node, nodesIn, placesOf, type Source, sourceOf } from './sources.ts'

/** What packed forms contain, whatever stands between: `...{`, `] = [` (also with a type), `deepEqual([`. */
const mayBePacked =
  /\.\.\.[\s(]*(?:\/[/*]|[{[])|[\]}]\s*(?::(?:=>|[^=])+)?=[\s(]*(?:\/[/*]|[{[])|[dD]eep(?:Strict)?Equal[\s(]*(?:\/[/*]|\[)/
const returnsList = /(?:=>|return)[\s(]*(?:\/[/*]|\[)/

/** Whether a file can have a packed form: parsing only such files saves much of the time. */
export const isPackable = (text: string): boolean =>
  mayBePacked.test(text) || (/[dD]eep(?:Strict)?Equal/.test(text) && returnsList.test(text))

/** All code, also tests, benchmarks, proofs and examples. */
export const packableSources = (): Source[] =>
  globSync('{apps,packages,tests,tools,bench,proofs,examples}/**/*.{ts,tsx}')
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => isPackable(text))
    .map(({ path, text }) => sourceOf(path, text))

/** A value without its type annotations, such as `as const`. */
const withoutTypes = (node: Node): Node =>
  /^TS(As|Satisfies|NonNull)Expression$|^ParenthesizedExpression$/.test(node.type)
    ? withoutTypes(node.expression as Node)
    : node

const isLiteral = ({ type }: Node): boolean => type === 'ObjectExpression' || type === 'ArrayExpression'

/** What a literal lists, if it is not joined from others; null for any other value. */
function partsOf(value: Node): Node[] | null {
  if (!isLiteral(value)) return null
  const parts = (value.elements ?? value.properties) as Node[]
  return parts.some((each) => each?.type === 'SpreadElement') ? null : parts
}

/** `...{ a, b }`, `...[a, b]` and `<Part {...{ a, b }} />`; a conditional `...(isLate && { a })` is allowed. */
export const literalSpreads = (sources: Source[]): string[] =>
  placesOf(
    sources,
    ({ type, argument }) =>
      /^(JSXSpreadAttribute|SpreadElement)$/.test(type) && isLiteral(withoutTypes(argument as Node)),
  )

/**
 * `const [a, b] = [x, y]`, `const { a, b } = { a: x, b: y }` and `;[a, b] = [x, y]`. Allowed are a choice of a pair, the first of
 * a joined list, `const [first, ...more] = [...some, ...others]`, and an exchange, `;[a, b] = [b, a]`.
 */
export const tupleDeclarations = (sources: Source[]): string[] =>
  placesOf(sources, ({ type, id, init, left, right }, { text }) => {
    if (!/^(VariableDeclarator|AssignmentExpression)$/.test(type)) return false
    const target = (id ?? left) as Node
    const value = (init ?? right) as Node | null
    if (!value || !/^(Array|Object)Pattern$/.test(target.type)) return false
    const mayExchange = type === 'AssignmentExpression' && target.type === 'ArrayPattern'
    const sorted = (node: Node) => wordsOf(node, text).toSorted().join()
    if (mayExchange && sorted(target) === sorted(withoutTypes(value))) return false
    return partsOf(withoutTypes(value)) !== null
  })

/** The text of each element of an array. */
const wordsOf = ({ elements = [] }: Node, text: string): string[] =>
  (elements as (Node | null)[]).map((each) => (each ? text.slice(each.start, each.end) : ''))

const nameOf = (node: unknown): unknown => (node as Node | undefined)?.name

/** The values of `deepEqual(actual, expected)` and its kin; empty for any other node. */
function comparedIn({ type, callee, arguments: values }: Node): Node[] {
  if (type !== 'CallExpression') return []
  const { property, name = nameOf(property) } = callee as Node
  return /^(deep|notDeep|partialDeep)(Strict)?Equal$/.test(String(name)) ? (values as Node[]).map(withoutTypes) : []
}

/**
 * `deepEqual([a, b], …)` with different values, whatever they are compared with. Allowed are one value in a list, a list that is
 * joined from other lists, and a list of acts at the same time, `deepEqual(await Promise.all([a(), b()]), …)`.
 */
export const packedAssertions = (sources: Source[]): string[] =>
  placesOf(sources, (node, { text }) => {
    const [actual, expected] = comparedIn(node)
    if (actual?.type !== 'ArrayExpression' || !partsOf(actual)) return false
    const words = wordsOf(actual, text)
    if (new Set(words).size > 1) return true
    return words.length > 0 && !!expected && partsOf(expected)?.length === words.length
  })

/**
 * Functions that return `[a, b]`, if their file compares what they return, `deepEqual(await stateOf(loan), ['PAID', 0n])`: they
 * should return an object, so that both sides name each value. Allowed are the same lists as in an assertion.
 */
export const tupleHelpers = (sources: Source[]): string[] =>
  sources.flatMap((source) => {
    const compared = new Set(source.nodes.map((node) => calledName(comparedIn(node)[0])))
    const isTuple = (node: Node): boolean => {
      const value = withoutTypes(node)
      if (value.type === 'ConditionalExpression')
        return isTuple(value.consequent as Node) || isTuple(value.alternate as Node)
      return value.type === 'ArrayExpression' && !!partsOf(value) && new Set(wordsOf(value, source.text)).size > 1
    }
    return placesOf([source], (node) => {
      const name = nameOf(node.id ?? node.key)
      const declared = node.type === 'FunctionDeclaration' ? node : ((node.init ?? node.value) as Node | null)
      return !!name && compared.has(name) && !!declared?.body && returnedFrom(declared.body as Node).some(isTuple)
    })
  })

/** The name of the function or method that is called in `f()`, `of.f()` or `await f()`. */
function calledName(value: Node | undefined): unknown {
  if (value?.type === 'AwaitExpression') return calledName(withoutTypes(value.argument as Node))
  if (value?.type !== 'CallExpression') return null
  const { property, name = nameOf(property) } = value.callee as Node
  return name
}

/** What a function with this body returns; not what functions in it return. */
function returnedFrom(body: Node): Node[] {
  if (body.type !== 'BlockStatement') return [body]
  const all = nodesIn(body)
  const inner = all.filter(({ type }) => /Function/.test(type))
  const isOwn = ({ start, end }: Node): boolean => !inner.some((each) => each.start <= start && end <= each.end)
  return all.flatMap((node) => (node.type === 'ReturnStatement' && isOwn(node) ? ((node.argument ?? []) as Node) : []))
}
