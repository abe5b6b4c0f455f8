// What changed in the API for integrators since the last release: `npm run api:changes` and the page of all releases.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { methods, type OpenApiDocument, type PathItem } from '@lendloom/http/openapi-document'
import { apiDiff } from 'api-smart-diff'
import { page } from './markdown.ts'
import { platformDocument } from './openapi.ts'

export interface ApiChange {
  isBreaking: boolean
  text: string
}

const reference = join(import.meta.dirname, '..', '..', 'docs', 'reference')
/** The document of the last release; a release replaces it with `platform.json`. */
const releasedFile = join(reference, 'openapi', 'released.json')
export const releasedDocument = (): OpenApiDocument => JSON.parse(readFileSync(releasedFile, 'utf8'))

/**
 * Lists changes that a client can notice, breaking ones first: also of updates, and the end of operations. Texts,
 * examples and names of schemas do not count. The removal of an operation whose sunset has passed is not breaking.
 */
export function apiChanges(before: OpenApiDocument, after: OpenApiDocument, at = new Date()): ApiChange[] {
  const changes = apiDiff(comparable(before), comparable(after))
    .filter(({ type, path }) => isNoticed(type) && path[0] !== 'components')
    .map(({ type, path: [, place = '', method = '', ...inner], action, description = '' }) => {
      const isOver = inner.length === 0 && action === 'remove' && hasEnded(before, String(place), String(method), at)
      const operation = String(place).startsWith('/') ? `${String(method).toUpperCase()} ${place}`.trim() : place
      return {
        isBreaking: type === 'breaking' && !isOver,
        text: `${operation}: ${describe(description) || `${action} ${inner.join('.')}`}`,
      }
    })
  return changes.sort((a, b) => Number(b.isBreaking) - Number(a.isBreaking))
}

const isNoticed = (type: string | undefined): boolean => ['breaking', 'non-breaking', 'deprecated'].includes(type ?? '')

/** The library calls every new parameter required; a required one is a breaking change. */
const describe = (text: string): string => text.replace('[Added] required', '[Added]')

/** The document with each kind of update as the answer of an operation, because the library reads only `paths`. */
function comparable(document: OpenApiDocument): OpenApiDocument {
  const { webhooks = {}, ...rest }: OpenApiDocument = JSON.parse(JSON.stringify(document))
  const updates = new Map<string, PathItem>()
  for (const { post } of Object.values(webhooks)) {
    const content = post?.requestBody?.content ?? {}
    const name = JSON.stringify(content['application/json']?.schema)
    updates.set(name, { get: { summary: '', tags: [], responses: { 200: { description: '', content } } } })
  }
  const asPaths = [...updates.values()].map((item, i) => [`Lifecycle update${i === 0 ? '' : ` ${i + 1}`}`, item])
  return { ...rest, paths: { ...rest.paths, ...Object.fromEntries(asPaths) } }
}

/** Whether the operation, or each operation of the path, was deprecated and its sunset has passed. */
function hasEnded({ paths }: OpenApiDocument, place: string, method: string, at: Date): boolean {
  const ended = methods
    .filter((each) => method === '' || each === method)
    .flatMap((each) => paths[place]?.[each] ?? [])
    .map((operation) => operation.deprecated === true && Date.parse(operation['x-sunset'] ?? '') <= at.getTime())
  return ended.length > 0 && ended.every(Boolean)
}

/** The changes since the last release as a list in Markdown. */
function changeList(): string {
  const changes = apiChanges(releasedDocument(), platformDocument())
  const lines = changes.map(({ isBreaking, text }) => `- ${isBreaking ? '**Breaking** ' : ''}${text}`)
  return lines.length > 0 ? [...new Set(lines)].join('\n') : 'The API has not changed since the last release.'
}

const changelogFile = join(reference, 'api-changelog.md')
const next = '## Next release'

/** `docs/reference/api-changelog.md`: the next release from the documents, and the earlier ones as the page has them. */
export const apiChangelog = (released = releasedSections(readFileSync(changelogFile, 'utf8'))): string =>
  page(
    'API changelog',
    'What changed in the API for integrators, by release: operations, fields, and the body of lifecycle updates. [Versioning](versioning.md) says what may change.',
    `${next}\n\n${changeList()}`,
    released,
  )

export const releasedSections = (text: string): string => {
  const [, , ...sections] = text.split(/^(?=## )/m)
  return sections.join('').trim()
}

/** Gives the changes of the next release its version. The documents are equal afterwards. */
function release(version: string): void {
  const section = `## ${version}\n\n${changeList()}`
  const released = releasedSections(readFileSync(changelogFile, 'utf8'))
  writeFileSync(releasedFile, `${JSON.stringify(platformDocument())}\n`)
  writeFileSync(changelogFile, apiChangelog(`${section}\n\n${released}`))
}

if (import.meta.main) {
  if (process.argv[2] === 'release') {
    release(JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')).version)
  } else process.stdout.write(`${changeList()}\n`)
}
