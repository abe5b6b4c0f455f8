// The console's requests and answers about saved views: the filters of a list under a name.
import { Id, MaybeText } from '#contract/atoms.ts'
import { Closed, OneOf, type Static, Type } from '#kit/http/schema.ts'
import { longestViewName, viewListNames } from './view-lists.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: longestViewName,
  pattern: '\\S',
  'x-says': `must have 1 to ${longestViewName} characters`,
})
const Filters = Type.Unsafe<Record<string, string>>({
  type: 'object',
  minProperties: 1,
  maxProperties: 10,
  additionalProperties: { type: 'string', maxLength: 200 },
  'x-says': 'must hold one filter to ten, each with a text',
})

export const ViewsQuery = Closed({ tenantId: Type.Optional(Id), list: Type.Optional(OneOf(viewListNames)) })
export const ViewParams = Closed({ viewId: Id })
export const DeleteViewQuery = Closed({
  tenantId: Type.Optional(Id),
  /** That was seen; without one it is removed as it is. */
  version: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,8}$', 'x-says': 'must be a version' })),
})

export const SavedView = Closed({
  viewId: Id,
  list: OneOf(viewListNames),
  name: Type.String(),
  filters: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  /** Whether colleagues see it: those of the tenant, or those of the platform. */
  isShared: Type.Boolean(),
  isOwn: Type.Boolean(),
  /** Whether whoever asks may change and remove it. */
  mayChange: Type.Boolean(),
  /** Who saved it; null for the command line, and where they are gone. */
  by: MaybeText,
  version: Type.Integer(),
})
export type SavedView = Static<typeof SavedView>
export const SavedViews = Closed({ items: Type.Array(SavedView), next: MaybeText })
export type SavedViews = Static<typeof SavedViews>

export const NewViewRequest = Closed({
  list: OneOf(viewListNames),
  name: Name,
  filters: Filters,
  isShared: Type.Optional(Type.Boolean()),
})
export type NewViewRequest = Static<typeof NewViewRequest>
export const ViewRequest = Closed({
  /** That was seen. */
  version: Type.Integer({ minimum: 1, 'x-says': 'must be a version' }),
  name: Type.Optional(Name),
  filters: Type.Optional(Filters),
  isShared: Type.Optional(Type.Boolean()),
})
export type ViewRequest = Static<typeof ViewRequest>
