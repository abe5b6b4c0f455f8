// Look-ups of records that take any text as a key, which `ownValue` has to make: `constructor` is a property of every object.
import { importsOf, type Node, placesOf, type Source } from './sources.ts'

/** Places that read such a record by a computed key. */
export function unguardedLookUps(sources: Source[]): string[] {
  const open = new Map(sources.map((source) => [source.path, openRecordsIn(source)]))
  return sources.flatMap((source) => {
    const imported = importsOf(source).flatMap(({ to, names }) =>
      [...names].filter(([, exported]) => to !== null && open.get(to)?.has(exported)).map(([local]) => local),
    )
    const records = new Set([...(open.get(source.path) ?? []), ...imported])
    const written = new Set(source.nodes.filter(({ type }) => type === 'AssignmentExpression').map(({ left }) => left))
    return placesOf([source], (node) => isLookUp(node, records) && !written.has(node))
  })
}

const openRecord = /^:\s*(?:(?:Readonly|Partial)<)*Record<string,/

/** The names that a file declares with such a type. */
function openRecordsIn({ nodes, text }: Source): Set<unknown> {
  const typed = nodes.filter(
    ({ type, typeAnnotation }) =>
      type === 'Identifier' &&
      isNode(typeAnnotation) &&
      openRecord.test(text.slice(typeAnnotation.start, typeAnnotation.end)),
  )
  return new Set(typed.map(({ name }) => name))
}

const isLookUp = ({ type, computed, object, property }: Node, records: ReadonlySet<unknown>): boolean =>
  type === 'MemberExpression' &&
  computed === true &&
  isNode(object) &&
  object.type === 'Identifier' &&
  records.has(object.name) &&
  isNode(property) &&
  property.type !== 'Literal'

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
