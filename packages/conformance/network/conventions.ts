// Texts that official messages contain although no rule requires them: required in ours, not in others' (FIS12 §21).

import { fieldsOf, isObject, ownValue } from '@lendloom/foundation/record'
import type { Dialect, Fault } from '@lendloom/wire/network/context'
import { type TagTexts, tagTextsByDialect } from '@lendloom/wire/network/tags'

const section = 'FIS12 §21'

/** Missing parts of our `message`: names and descriptions of its tags, and of the lender. */
export function conventionFaults(dialect: Dialect, message: unknown): Fault[] {
  const faults: Fault[] = []
  const addFault = (path: string, text: string) => faults.push({ path, message: text, section })
  visit(message, '$.message', (value, path) => {
    const { tags, provider, providers } = value
    if (Array.isArray(tags))
      for (const [i, tag] of tags.entries()) checkTag(tagTextsByDialect[dialect], tag, `${path}.tags[${i}]`, addFault)
    if (provider) checkProvider(provider, `${path}.provider`, addFault)
    if (Array.isArray(providers))
      for (const [i, each] of providers.entries()) checkProvider(each, `${path}.providers[${i}]`, addFault)
  })
  return faults
}

type AddFault = (path: string, text: string) => void

/** Calls `onObject` with each object in the value, outer objects first. */
function visit(value: unknown, path: string, onObject: (value: Record<string, unknown>, path: string) => void): void {
  if (value === null || typeof value !== 'object') return
  if (isObject(value)) onObject(value, path)
  for (const [key, inner] of Object.entries(value))
    visit(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, onObject)
}

function checkTag(tagTexts: Readonly<Record<string, TagTexts>>, tag: unknown, path: string, addFault: AddFault) {
  const { descriptor, display: actualDisplay, list } = fieldsOf(tag)
  const { name: actualName, code } = fieldsOf(descriptor)
  const { name, display, entries = {} } = textsOf(tagTexts, code) ?? {}
  if (name !== undefined && actualName !== name) addFault(`${path}.descriptor.name`, `must be ${name}`)
  if (display !== undefined && actualDisplay !== display) addFault(`${path}.display`, `must be ${display}`)
  for (const [i, entry] of (Array.isArray(list) ? list : []).entries()) {
    const entryDescriptor = fieldsOf(fieldsOf(entry).descriptor)
    const texts = textsOf(entries, entryDescriptor.code) ?? {}
    for (const key of ['name', 'short_desc'] as const)
      if (texts[key] !== undefined && !entryDescriptor[key])
        addFault(`${path}.list[${i}].descriptor.${key}`, 'must be present')
  }
}

const textsOf = <Texts>(known: Readonly<Record<string, Texts>>, code: unknown): Texts | undefined =>
  typeof code === 'string' ? ownValue(known, code) : undefined

/** Checks the provider's descriptions; a buyer's message has only the provider's id, and nothing to check. */
function checkProvider(provider: unknown, path: string, addFault: AddFault): void {
  const { descriptor } = fieldsOf(provider)
  if (!descriptor) return
  for (const key of ['short_desc', 'long_desc'])
    if (!fieldsOf(descriptor)[key]) addFault(`${path}.descriptor.${key}`, 'must be present')
}
