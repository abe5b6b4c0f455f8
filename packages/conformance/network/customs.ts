// What official messages always carry beside what the rules ask for: we write it, and never miss it in others (FIS12 §21).

import type { Dialect, Fault } from '#contract/network/context.ts'
import { type TagTexts, tagTextsByDialect } from '#contract/network/tags.ts'
import { fieldsOf, isObject, ownValue } from '#kit/runtime/record.ts'

const section = 'FIS12 §21'

/** Missing parts of our `message`: names and descriptions of its tags, and of the lender. */
export function customFaults(dialect: Dialect, message: unknown): Fault[] {
  const faults: Fault[] = []
  const miss = (path: string, what: string) => faults.push({ path, message: what, section })
  visit(message, '$.message', (value, path) => {
    const { tags, provider, providers } = value
    if (Array.isArray(tags))
      for (const [i, tag] of tags.entries()) wordFaults(tagTextsByDialect[dialect], tag, `${path}.tags[${i}]`, miss)
    if (provider) describe(provider, `${path}.provider`, miss)
    if (Array.isArray(providers))
      for (const [i, each] of providers.entries()) describe(each, `${path}.providers[${i}]`, miss)
  })
  return faults
}

type Miss = (path: string, what: string) => void

/** Calls `look` with every object within, the outer ones first. */
function visit(value: unknown, path: string, look: (value: Record<string, unknown>, path: string) => void): void {
  if (value === null || typeof value !== 'object') return
  if (isObject(value)) look(value, path)
  for (const [key, inner] of Object.entries(value))
    visit(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, look)
}

function wordFaults(words: Readonly<Record<string, TagTexts>>, tag: unknown, path: string, miss: Miss) {
  const { descriptor, display: shown, list } = fieldsOf(tag)
  const { name: called, code } = fieldsOf(descriptor)
  const { name, display, entries = {} } = textsOf(words, code) ?? {}
  if (name !== undefined && called !== name) miss(`${path}.descriptor.name`, `must be ${name}`)
  if (display !== undefined && shown !== display) miss(`${path}.display`, `must be ${display}`)
  for (const [i, entry] of (Array.isArray(list) ? list : []).entries()) {
    const worded = fieldsOf(fieldsOf(entry).descriptor)
    const texts = textsOf(entries, worded.code) ?? {}
    for (const key of ['name', 'short_desc'] as const)
      if (texts[key] !== undefined && !worded[key]) miss(`${path}.list[${i}].descriptor.${key}`, 'must be present')
  }
}

const textsOf = <Texts>(known: Readonly<Record<string, Texts>>, code: unknown): Texts | undefined =>
  typeof code === 'string' ? ownValue(known, code) : undefined

/** A buyer names its lender by the id alone. */
function describe(provider: unknown, path: string, miss: Miss): void {
  const { descriptor } = fieldsOf(provider)
  if (!descriptor) return
  for (const key of ['short_desc', 'long_desc'])
    if (!fieldsOf(descriptor)[key]) miss(`${path}.descriptor.${key}`, 'must be present')
}
