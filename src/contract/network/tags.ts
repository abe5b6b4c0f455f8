// Tag groups: the lists of coded texts in which the network carries what its schema has no field for (FIS12 §7.1).

import { type Static, Type } from '#kit/http/schema.ts'
import { ownValue } from '#kit/runtime/record.ts'
import { type TagTexts, tagTexts } from './tag-texts.ts'

/** A value that ought to be a string; some lenders send a bare number. */
export const Scalar = Type.Unsafe<string | number>({ type: ['string', 'number'] })

export const TagGroup = Type.Object({
  descriptor: Type.Object({
    code: Type.String({ minLength: 1 }),
    name: Type.Optional(Type.String()),
    short_desc: Type.Optional(Type.String()),
  }),
  display: Type.Optional(Type.Boolean()),
  list: Type.Array(
    Type.Object({
      descriptor: Type.Object({
        code: Type.String({ minLength: 1 }),
        name: Type.Optional(Type.String()),
        short_desc: Type.Optional(Type.String()),
      }),
      value: Scalar,
    }),
  ),
})
export type TagGroup = Static<typeof TagGroup>

/**
 * Writes a group with the words that belong to its codes. A code whose value is null is left out: an absent fact has no
 * tag.
 */
export function tagGroup(
  code: string,
  values: Record<string, string | null>,
  { name, display, entries = {} }: TagTexts = ownValue(tagTexts, code) ?? {},
): TagGroup {
  const list = Object.entries(values).flatMap(([entry, value]) =>
    value === null ? [] : [{ descriptor: { code: entry, ...ownValue(entries, entry) }, value }],
  )
  return {
    descriptor: { code, ...(name !== undefined && { name }) },
    ...(display !== undefined && { display }),
    list,
  }
}

export type Tags = Record<string, string>

/** The texts of the first group with this code, by their codes, trimmed; null when there is no such group. */
export function tagsOf(groups: readonly TagGroup[] | undefined, code: string): Tags | null {
  const group = groups?.find(({ descriptor }) => descriptor.code === code)
  if (!group) return null
  const pairs = group.list.map(({ descriptor, value }) => [descriptor.code, String(value).trim()] as const)
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''))
}
