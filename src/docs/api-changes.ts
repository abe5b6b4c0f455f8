// `npm run api:changes`: what changed in the API for integrators since the last release.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDiff } from 'api-smart-diff'
import type { OpenApiDocument } from '#kit/http/openapi-document.ts'
import { platformDocument } from './openapi.ts'

export interface ApiChange {
  isBreaking: boolean
  text: string
}

/** The document of the last release; a release replaces it with `platform.json`. */
const releasedFile = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'openapi', 'released.json')
export const releasedDocument = (): OpenApiDocument => JSON.parse(readFileSync(releasedFile, 'utf8'))

/** Lists changes that a client can notice, breaking ones first. Texts, examples and names of schemas do not count. */
export function apiChanges(before: OpenApiDocument, after: OpenApiDocument): ApiChange[] {
  const changes = apiDiff(structuredClone(before), JSON.parse(JSON.stringify(after)))
    .filter(({ type, path }) => (type === 'breaking' || type === 'non-breaking') && path[0] !== 'components')
    .map(({ type, path: [, place = '', method = '', ...inner], action, description }) => ({
      isBreaking: type === 'breaking',
      text: `${String(method).toUpperCase()} ${place}: ${description || `${action} ${inner.join('.')}`}`,
    }))
  return changes.sort((a, b) => Number(b.isBreaking) - Number(a.isBreaking))
}

if (import.meta.main) {
  const changes = apiChanges(releasedDocument(), platformDocument())
  const lines = changes.map(({ isBreaking, text }) => `- ${isBreaking ? '**Breaking** ' : ''}${text}`)
  process.stdout.write(`${lines.length > 0 ? lines.join('\n') : 'The API has not changed since the last release.'}\n`)
}
