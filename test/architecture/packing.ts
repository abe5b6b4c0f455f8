// Finds code that packs several things into one: a reader should find one field, declaration or comparison per line.
import { globSync, readFileSync } from 'node:fs'
import { type Node, placesOf, type Source, sourceOf } from './sources.ts'

/** What each packed form begins with. Parsing only files with such text saves most of the time. */
const mayBePacked = /\.\.\.\s*\(*\s*[{[]|(?<!\[)\]\s*(?::[^=\n]+)?=\s*\(*\s*\[|deep(?:Strict)?Equal\(\s*\(*\s*\[/

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

/** The elements of an array literal that is not joined from other arrays; null for any other value. */
function elementsOf(node: Node | null | undefined): Node[] | null {
  const value = node && withoutTypes(node)
  if (value?.type !== 'ArrayExpression') return null
  const elements = value.elements as Node[]
  return elements.some((each) => each?.type === 'SpreadElement') ? null : elements
}

/** `...{ a, b }`, `...[a, b]` and `<Part {...{ a, b }} />`; a conditional `...(isLate && { a })` is allowed. */
export const literalSpreads = (sources: Source[]): string[] =>
  placesOf(
    sources,
    ({ type, argument }) =>
      /^(JSXSpreadAttribute|SpreadElement)$/.test(type) && isLiteral(withoutTypes(argument as Node)),
  )

/** `const [a, b] = [x, y]`; the first of a joined list, `const [first, ...more] = [...some, ...others]`, is allowed. */
export const tupleDeclarations = (sources: Source[]): string[] =>
  placesOf(
    sources,
    ({ type, id, init }) =>
      type === 'VariableDeclarator' && (id as Node).type === 'ArrayPattern' && elementsOf(init as Node | null) !== null,
  )

/** `deepEqual([a, b], [1, 2])`; lists of different lengths, or joined from other lists, are allowed. */
export const packedAssertions = (sources: Source[]): string[] =>
  placesOf(sources, ({ type, callee, arguments: values }, { text }) => {
    if (type !== 'CallExpression') return false
    const { start, end } = callee as Node
    if (!/^(assert\.)?deep(Strict)?Equal$/.test(text.slice(start, end))) return false
    const [actual, expected] = (values as Node[]).map(elementsOf)
    return !!actual?.length && actual.length === expected?.length
  })
