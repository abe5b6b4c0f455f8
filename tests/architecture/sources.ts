// The sources as syntax trees, without tests: what the figures of the architecture are counted in.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lazily } from '@lendloom/foundation/lazily'
import { parseAst } from 'vite'

/** A node of the syntax tree (ESTree, with TypeScript's own kinds). */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

export interface Source {
  /** Such as `packages/lending/src/money.ts`. */
  path: string
  text: string
  tree: Node
  nodes: Node[]
}

/** Parsed once for all the tests of a process, which only read them. */
export const openSources: () => Source[] = lazily(() =>
  globSync('{{apps,packages}/*/src,packages/conformance,tools/{docs,web}}/**/*.{ts,tsx}')
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort()
    .map((path) => sourceOf(path, readFileSync(path, 'utf8'))),
)

export function sourceOf(path: string, text: string): Source {
  const tree = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  return { path, text, tree, nodes: nodesIn(tree) }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** A node and all that is in it, from the outside in. */
export function nodesIn(node: Node): Node[] {
  const found: Node[] = []
  const visit = (each: Node): void => {
    found.push(each)
    for (const value of Object.values(each))
      if (Array.isArray(value)) value.filter(isNode).forEach(visit)
      else if (isNode(value)) visit(value)
  }
  visit(node)
  return found
}

const lineOf = ({ path, text }: Source, { start }: Node): string => `${path}:${text.slice(0, start).split('\n').length}`

/** The nodes of a kind that meet a condition, as `path:line`. */
export const placesOf = (sources: Source[], meets: (node: Node, source: Source) => boolean): string[] =>
  sources.flatMap((source) => source.nodes.filter((node) => meets(node, source)).map((node) => lineOf(source, node)))

export interface Import {
  from: string
  /** The file that is imported, such as `packages/lending/src/money.ts`; null for packages. */
  to: string | null
  /** Only for its types. */
  isType: boolean
  /** Local name to exported name. */
  names: Map<string, string>
}

/** What a file imports, also what it exports again and what it loads when it is needed. */
export function importsOf({ path, nodes }: Source): Import[] {
  const found: Import[] = []
  for (const node of nodes) {
    const named = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression']
    const source = node.source as { value?: string } | null | undefined
    if (!named.includes(node.type) || typeof source?.value !== 'string') continue
    const kind = node.importKind ?? node.exportKind
    const specifiers = (node.specifiers ?? []) as Node[]
    const values = specifiers.filter((each) => (each.importKind ?? each.exportKind) !== 'type')
    found.push({
      from: path,
      to: fileOf(path, source.value),
      isType: kind === 'type' || (specifiers.length > 0 && values.length === 0),
      names: new Map(specifiers.map((each) => [nameOf(each.local), nameOf(each.imported) || 'default'])),
    })
  }
  return found
}

const nameOf = (node: unknown): string => ((node as Node | undefined)?.name as string | undefined) ?? ''

const folderOf = new Map(
  globSync('{apps,packages}/*/package.json').map((path) => {
    const folder = dirname(path)
    return [basename(folder), folder === 'packages/conformance' ? folder : join(folder, 'src')]
  }),
)

/** The file that a specifier names: of the same workspace, or a door of another one; null for packages. */
function fileOf(path: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return join(dirname(path), specifier)
  const [, own, other, inside = ''] = /^(?:#([\w-]+)|@lendloom\/([\w-]+))\/(?:src\/)?(.+)$/.exec(specifier) ?? []
  const folder = folderOf.get(own ?? other ?? '')
  if (!folder) return null
  return join(folder, /\.\w+$/.test(inside) ? inside : `${inside}.ts`)
}
