// What official messages always carry beside what the rules ask for: we write it, and never miss it in others (FIS12 §21).
import type { Dialect } from './context.ts'
import type { Fault } from './fault.ts'
import { type TagTexts, wordsIn } from './tag-texts.ts'
import type { TagGroup } from './tags.ts'

const section = 'FIS12 §21'

/** Everything that a `message` of ours lacks: the names and descriptions of its tags, and those of the lender. */
export function customFaults(dialect: Dialect, message: unknown): Fault[] {
  const faults: Fault[] = []
  const miss = (path: string, what: string) => faults.push({ path, message: what, section })
  visit(message, '$.message', (value, path) => {
    const { tags, provider, providers } = value as { tags?: unknown; provider?: unknown; providers?: unknown }
    if (Array.isArray(tags))
      for (const [i, tag] of tags.entries()) wordFaults(wordsIn[dialect], tag, `${path}.tags[${i}]`, miss)
    if (provider) describe(provider, `${path}.provider`, miss)
    if (Array.isArray(providers))
      for (const [i, each] of providers.entries()) describe(each, `${path}.providers[${i}]`, miss)
  })
  return faults
}

type Miss = (path: string, what: string) => void

/** Calls `look` with every object within, the outer ones first. */
function visit(value: unknown, path: string, look: (value: object, path: string) => void): void {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) look(value, path)
  for (const [key, inner] of Object.entries(value))
    visit(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, look)
}

function wordFaults(
  words: Readonly<Record<string, TagTexts>>,
  tag: Partial<TagGroup> | null,
  path: string,
  miss: Miss,
) {
  const { name, display, entries = {} } = words[tag?.descriptor?.code ?? ''] ?? {}
  if (name !== undefined && tag!.descriptor!.name !== name) miss(`${path}.descriptor.name`, `must be ${name}`)
  if (display !== undefined && tag!.display !== display) miss(`${path}.display`, `must be ${display}`)
  for (const [i, entry] of (Array.isArray(tag?.list) ? tag.list : []).entries()) {
    const said = entries[entry?.descriptor?.code ?? ''] ?? {}
    for (const key of ['name', 'short_desc'] as const)
      if (said[key] !== undefined && !entry.descriptor[key])
        miss(`${path}.list[${i}].descriptor.${key}`, 'must be present')
  }
}

/** A buyer names its lender by the id alone. */
function describe(provider: unknown, path: string, miss: Miss): void {
  const { descriptor } = provider as { descriptor?: { short_desc?: string; long_desc?: string } }
  if (!descriptor) return
  for (const key of ['short_desc', 'long_desc'] as const)
    if (!descriptor[key]) miss(`${path}.descriptor.${key}`, 'must be present')
}
