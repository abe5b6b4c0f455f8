// Schemas of the console API: saved views, which are named sets of filters of a list.

import { Closed, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Id, TextOrNull } from '#wire/basic-schemas.ts'
import { maxViewNameLength, viewListNames } from './saved-view-lists.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: maxViewNameLength,
  pattern: '\\S',
  'x-says': `must have 1 to ${maxViewNameLength} characters`,
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
  /** The version that the caller read; if omitted, the view is deleted whatever its version. */
  version: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,8}$', 'x-says': 'must be a version' })),
})

export const SavedView = Closed({
  viewId: Id,
  list: OneOf(viewListNames),
  name: Type.String(),
  filters: Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
  /** Whether colleagues (of the tenant, or of the platform) see the view. */
  isShared: Type.Boolean(),
  isOwn: Type.Boolean(),
  /** Whether the caller may change and remove it. */
  mayChange: Type.Boolean(),
  /** The person who saved the view; null for the command line and for removed users. */
  by: TextOrNull,
  version: Type.Integer(),
})
export type SavedView = Static<typeof SavedView>
export const SavedViews = Closed({ items: Type.Array(SavedView), next: TextOrNull })
export type SavedViews = Static<typeof SavedViews>

export const NewViewRequest = Closed({
  list: OneOf(viewListNames),
  name: Name,
  filters: Filters,
  isShared: Type.Optional(Type.Boolean()),
})
export type NewViewRequest = Static<typeof NewViewRequest>
export const ViewRequest = Closed({
  /** The version that the caller read. */
  version: Type.Integer({ minimum: 1, 'x-says': 'must be a version' }),
  name: Type.Optional(Name),
  filters: Type.Optional(Filters),
  isShared: Type.Optional(Type.Boolean()),
})
export type ViewRequest = Static<typeof ViewRequest>
