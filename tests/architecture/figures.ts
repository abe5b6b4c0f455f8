// What the architecture test and `npm run gauge` find in the sources: each function returns places, as `path:line`.
import { productContracts } from '@lendloom/lending/product/products'
import { importsOf, type Node, nodesIn, placesOf, type Source } from './sources.ts'

/** Casts: `as T`, without `as const`. */
export const casts = (sources: Source[]): string[] =>
  placesOf(
    sources,
    (node, { text }) =>
      node.type === 'TSAsExpression' && text.slice((node.typeAnnotation as Node).start, node.end) !== 'const',
  )

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const mostLines = 80

export const longFunctions = (sources: Source[]): string[] =>
  placesOf(
    sources,
    ({ type, start, end }, { text }) =>
      functions.includes(type) && text.slice(start, end).split('\n').length > mostLines,
  )

/** The names of loan products on our wires, and the one that the network has for a product that we call otherwise. */
export const productNames: readonly string[] = [
  ...Object.entries(productContracts).flatMap(([id, { hybridName }]) => [id, hybridName]),
  'LAMF',
]
const isComparison = ({ type, operator }: Node): boolean =>
  type === 'BinaryExpression' && (operator === '===' || operator === '!==')

/** Where a source asks which product it is, outside the products and the codecs that they name. */
export const productConditionals = (sources: Source[]): string[] =>
  placesOf(
    sources.filter(({ path }) => !isOfProduct(path)),
    (node) =>
      (isComparison(node) && [node.left, node.right].some(isProduct)) ||
      (node.type === 'SwitchCase' && isProduct(node.test)),
  )

/** A folder of products, one product's folder, or the codec of a version of the network's protocol. */
const isOfProduct = (path: string): boolean =>
  /\/(product|personal-loan|gold-loan|mutual-fund-loan)\/|\/network\/v2\d\d\//.test(path)

const isProduct = (node: unknown): boolean => {
  const { type, value } = (node ?? {}) as Node
  return type === 'Literal' && productNames.includes(value as string)
}

/** The name of a channel, or the field that it was once read from. */
const asksForChannel = /(^|\.)via$|^'(NETWORK|PARTNER)'$/

/** Where a source asks by which channel a lender is reached. */
export const channelConditionals = (sources: Source[]): string[] =>
  placesOf(
    sources.filter(({ path }) => !path.endsWith('/store.ts')),
    (node, { text }) =>
      isComparison(node) &&
      [node.left, node.right].some((side) => asksForChannel.test(text.slice((side as Node).start, (side as Node).end))),
  )

/** Groups of files that import each other in a circle, by value or by type. */
export function circles(sources: Source[]): string[][] {
  const targets = new Map(
    sources.map((source) => [source.path, importsOf(source).flatMap(({ to }) => (to === null ? [] : [to]))]),
  )
  return circlesAmong(targets)
}

/** Strongly connected groups of more than one (Tarjan). */
function circlesAmong(targets: Map<string, string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (name: string): void => {
    index.set(name, index.size)
    low.set(name, index.get(name) ?? 0)
    stack.push(name)
    for (const target of targets.get(name) ?? []) {
      if (!targets.has(target)) continue
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(name, Math.min(low.get(name) ?? 0, low.get(target) ?? 0))
    }
    if (low.get(name) !== index.get(name)) return
    const group = stack.splice(stack.indexOf(name))
    if (group.length > 1) found.push(group.sort())
  }
  for (const name of targets.keys()) if (!index.has(name)) visit(name)
  return found
}

/** English that people read has two words or more and ends as a sentence does. */
const isSentence = (text: string): boolean => /^[A-Z][a-z’']*( [^ ]+){2,}[.?!]$/.test(text)
/** The same in a template, of which only the parts between its values are seen, and which may be markup. */
const hasSentence = (text: string): boolean => /(^|[\s>])[A-Z][a-z’']*( [^ <>]+){2,}[.?!](?=\s|<|$)/.test(text)
/** The readers of the text: people of the interface, not engineers who read a log, an OpenAPI document or the help of a command. */
const isDomain = (path: string): boolean =>
  /^apps\/(platform|partner)\/src\//.test(path) &&
  !/\/(desk|demo)\/|\/(apis|commands|front-page|routes|settings|reference\/(openapi|texts)|sandbox-rules|(.*-)?text-[a-z]{2})\.ts$/.test(
    path,
  )

/** Sentences in the domain: what people read belongs into the catalogues of a language. */
export const sentences = (sources: Source[]): string[] =>
  placesOf(
    sources.filter(({ path }) => isDomain(path)),
    ({ type, value }) =>
      type === 'Literal'
        ? typeof value === 'string' && isSentence(value)
        : type === 'TemplateElement' && hasSentence((value as { raw: string }).raw),
  )

/** Four walks of data through the platform, each by the file and the name of its entry points. */
export const walks: Record<string, [path: string, name: string][]> = {
  'hosted session': [['apps/platform/src/api/hosted/create-session.ts', 'createSession']],
  'lender callback': [
    ['apps/platform/src/api/ondc/on-callback.ts', 'onCallbacks'],
    ['apps/platform/src/lenders/network/reactions/apply-message.ts', 'inboundWorker'],
  ],
  'partner event': [
    ['apps/platform/src/api/partner/webhook.ts', 'webhookRoute'],
    ['apps/platform/src/lenders/partner/reactions/apply-event.ts', 'partnerEventWorker'],
  ],
  'lifecycle update': [
    ['apps/platform/src/lending/journey/advance.ts', 'advance'],
    ['apps/platform/src/integrators/webhook/deliver-updates.ts', 'webhookDeliveryWorker'],
  ],
}

/**
 * The files that a flow goes through: the file of its entry, and those of every function that it calls, directly or not, by
 * the name that it imported, those of the kit and of the contracts among them.
 */
export function filesOfFlow(sources: Source[], path: string, name: string): string[] {
  const byPath = new Map(sources.map((source) => [source.path, declarationsOf(source)]))
  const seen = new Set<string>()
  const files = new Set<string>()
  const waiting = [{ path, name }]
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    const key = `${at.path} ${at.name}`
    const file = byPath.get(at.path)
    const body = file?.bodies.get(at.name)
    if (seen.has(key) || !file) continue
    seen.add(key)
    const passedOn = file.imported.get(at.name)
    if (!body && passedOn) waiting.push(passedOn)
    if (!body) continue
    files.add(at.path)
    for (const used of body) waiting.push(file.imported.get(used) ?? { path: at.path, name: used })
  }
  if (files.size === 0) throw new Error(`${path} declares no ${name}`)
  return [...files].sort()
}

interface Declarations {
  /** The names that each declaration of the file uses. */
  bodies: Map<string, Set<string>>
  imported: Map<string, { path: string; name: string }>
}

function declarationsOf(source: Source): Declarations {
  const imported = new Map(
    importsOf(source).flatMap(({ to, isType, names }) =>
      to === null || isType ? [] : [...names].map(([local, name]) => [local, { path: to, name }] as const),
    ),
  )
  const bodies = new Map<string, Set<string>>()
  for (const statement of source.tree.body as Node[])
    for (const [name, node] of declared((statement.declaration as Node | null) ?? statement))
      bodies.set(name, namesUsedIn(node))
  return { bodies, imported }
}

function declared(node: Node): [name: string, node: Node][] {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return [[idOf(node), node]]
  if (node.type !== 'VariableDeclaration') return []
  return (node.declarations as Node[]).map((each) => [idOf(each), each])
}
const idOf = (node: Node): string => ((node.id as Node | null)?.name as string | undefined) ?? ''

const namesUsedIn = (node: Node): Set<string> =>
  new Set(nodesIn(node).flatMap(({ type, name }) => (/^(JSX)?Identifier$/.test(type) ? [name as string] : [])))
