// Finds code that packs several things into one: a reader should find one field, declaration or comparison per line.
import { globSync, readFileSync } from 'node:fs'
import { type Node, placesOf, type Source, sourceOf } from './sources.ts'

/** What each packed form contains, whatever stands between: parsing only files with such text saves much of the time. */
const mayBePacked =
  /\.\.\.[\s(]*(?:\/[/*]|[{[])|[\]}]\s*(?::[^=\n]+)?=[\s(]*(?:\/[/*]|[{[])|[dD]eep(?:Strict)?Equal[\s(]*(?:\/[/*]|\[)/

/** All code, also tests, benchmarks, proofs and examples. */
export const packableSources = (): Source[] =>
  globSync('{src,packages,test,bench,prove,examples}/**/*.{ts,tsx}')
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
    .filter(({ text }) => mayBePacked.test(text))
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

/**
 * `deepEqual([a, b], …)` with different values, whatever they are compared with. Allowed are one value in a list, a list that is
 * joined from other lists, and a list of acts at the same time, `deepEqual(await Promise.all([a(), b()]), …)`.
 */
export const packedAssertions = (sources: Source[]): string[] =>
  placesOf(sources, ({ type, callee, arguments: values }, { text }) => {
    if (type !== 'CallExpression') return false
    const { property, name = (property as Node | undefined)?.name } = callee as Node
    if (!/^(deep|notDeep|partialDeep)(Strict)?Equal$/.test(String(name))) return false
    const [actual, expected] = (values as Node[]).map(withoutTypes)
    if (actual?.type !== 'ArrayExpression' || !partsOf(actual)) return false
    const words = wordsOf(actual, text)
    if (new Set(words).size > 1) return true
    return words.length > 0 && !!expected && partsOf(expected)?.length === words.length
  })
