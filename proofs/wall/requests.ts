// The owner's request for each operation: its ids in path, query and body, and otherwise valid values.
import { seedFrom } from '@lendloom/tests/setup/mutations'
import { seededRandom } from '@lendloom/tests/setup/patience'
import type { Call } from '../api/call.ts'
import { freeParameters, type Ids, idAt } from '../api/ids.ts'
import { type ApiOperation, type ProgramName, pathWith } from '../api/operations.ts'
import { idempotencyKey } from '../api/owner.ts'
import { type JsonSchema, sampleOf } from '../api/samples.ts'

export interface OwnerRequest extends Call {
  /** Whether path or body names an object of the owner, so that no other party may succeed. */
  namesObject: boolean
  /** Everything that the caller sent, in lower case: its echo in an answer does not count as a leak. */
  sent: string
}

/** Objects of an owner that a body may name. */
export const bodyObjects = ['applicationId', 'journeyId', 'endpointId', 'journeyID']

/** Values of fields in bodies and queries besides ids. */
const usual: Record<string, unknown> = {
  version: 1,
  reason: 'to have a look at it',
  text: 'A text that is long enough for a note.',
  language: 'en',
  product: 'PERSONAL_LOAN',
  overlapHours: 1,
  assigneeId: null,
  bureauConsent: true,
  forwardTo: 'http://localhost:3000/webhooks',
}

export function requestOf(
  { program, route, name }: ApiOperation,
  ids: Ids,
  { urls, namesTenant = false }: { urls: Record<ProgramName, string>; namesTenant?: boolean },
): OwnerRequest {
  const random = seededRandom(seedFrom(name))
  const { method, path } = route
  const params = (route.params ?? {}) as JsonSchema
  const parameterOf = (parameter: string): string =>
    idAt(ids, { path, name: parameter }) ??
    String(sampleOf(params.properties?.[parameter] ?? { type: 'string', pattern: '^[A-Za-z0-9]{43}$' }, { random }))
  const hint = (field: string) => usual[field] ?? idAt(ids, { path, name: field })
  const query = queryOf(route.query as JsonSchema | undefined, { ids, path, namesTenant })
  const body =
    route.body && JSON.stringify(sampleOf(withHinted(route.body as JsonSchema, hint), { random, hint, optionals: 0 }))
  const isForm = route.accepts === 'raw' && method !== 'GET'
  const filled = pathWith(path, parameterOf)
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
  return {
    method,
    url: `${urls[program]}${filled}${query}`,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(method !== 'GET' && idempotencyKey()),
      'x-request-id': idempotencyKey()['idempotency-key'] ?? '',
    },
    body: body ?? (isForm ? 'reason=because' : undefined),
    namesObject:
      names.some((parameter) => !freeParameters.has(parameter)) ||
      bodyObjects.some((field) => body?.includes(`"${field}":"${ids[field]}"`)),
    sent: `${filled} ${query} ${body ?? ''}`.toLowerCase(),
  }
}

/** Query parameters that name an object of the owner are always sent; others never. */
function queryOf(
  schema: JsonSchema | undefined,
  { ids, path, namesTenant }: { ids: Ids; path: string; namesTenant: boolean },
) {
  const names = Object.keys(schema?.properties ?? {})
  const named = names.filter((name) => ['journeyID', 'journeyId', 'external_reference_id', 'q'].includes(name))
  const entries = named.map((name) => [name, name === 'q' ? ids.journeyId : idAt(ids, { path, name })])
  if (namesTenant && names.includes('tenantId')) entries.push(['tenantId', ids.tenantId])
  for (const name of schema?.required ?? [])
    if (!named.includes(name)) entries.push([name, name === 'template' ? 'ASK' : 'light'])
  const text = new URLSearchParams(entries as [string, string][]).toString()
  return text && `?${text}`
}

/** Requires the optional fields for which there is a hint. */
function withHinted(schema: JsonSchema, hint: (name: string) => unknown): JsonSchema {
  const { properties = {}, required = [] } = schema
  const hinted = Object.keys(properties).filter((name) => hint(name) !== undefined && name !== 'tenantId')
  return { ...schema, required: [...new Set([...required, ...hinted])] }
}
