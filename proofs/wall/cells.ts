// Calls every operation of an owner with each credential, and judges the answers.
import pLimit from 'p-limit'
import { type Reply, send } from '../api/call.ts'
import { type Gate, gateOf, scopeOf } from '../api/gates.ts'
import type { Ids } from '../api/ids.ts'
import { type ApiOperation, operations, type ProgramName } from '../api/operations.ts'
import type { Credential } from './credentials.ts'
import { type OwnerRequest, requestOf } from './requests.ts'
import { identifiersIn } from './rows.ts'

export interface Cell {
  operation: ApiOperation
  gate: Gate
  credential: Credential
  request: OwnerRequest
  reply: Reply
}

/** What an answer must not contain. */
export interface Markers {
  words: string[]
  identifiers: Set<string>
}

/** How a credential stands to a gate: refused, or let in for its own data only; null if the cell is not for this proof. */
export function expectationOf(gate: Gate, credential: Credential, path: string): 'refused' | 'blind' | null {
  if (['public', 'link', 'sandbox'].includes(gate)) return 'blind'
  if (credential.own?.includes(gate)) return null
  const isIn = credential.opens.includes(gate)
  // An account may end its own sessions, which would weaken the other cells.
  if (isIn && (credential.role !== undefined || endingGates.includes(gate)) && !path.includes('{')) return null
  if (isIn && credential.role !== undefined) return null
  if (credential.lacks !== undefined && gate === 'api key') return credential.lacks === scopeOf(path) ? 'refused' : null
  return credential.opens.includes(gate) ? 'blind' : 'refused'
}

const endingGates: Gate[] = ['refresh token', 'own console account', 'own desk account']

const concurrent = 6

export interface Matrix {
  cells: Cell[]
  leaks: string[]
}

/** `ids` and `markers` are the owner's. Staff with the owner's tenant in the query is another credential. */
export async function callAll(
  credentials: Credential[],
  { ids, markers, urls }: { ids: Ids; markers: Markers; urls: Record<ProgramName, string> },
): Promise<Matrix> {
  const limit = pLimit(concurrent)
  const matrix: Matrix = { cells: [], leaks: [] }
  const calls = inOrder(operations).flatMap((operation) => {
    const gate = gateOf(operation)
    return credentials.flatMap((credential) => {
      const expected = expectationOf(gate, credential, operation.route.path)
      if (expected === null || isPointless(gate, credential, operation)) return []
      return [
        limit(async () => {
          const request = requestOf(operation, ids, { urls, ...(credential.namesTenant && { namesTenant: true }) })
          const headers = { ...request.headers, ...credential.headers }
          const reply = await send({ ...request, headers })
          const cell = { operation, gate, credential, request, reply }
          matrix.cells.push(cell)
          const leak = leakOf(cell, expected, markers)
          if (leak) matrix.leaks.push(`${operation.name} with ${credential.name}: ${leak}`)
        }),
      ]
    })
  })
  await Promise.all(calls)
  return matrix
}

/** A borrower who withdraws the consents ends the own journey, which would weaken later calls. */
const inOrder = (all: ApiOperation[]): ApiOperation[] => {
  const isEnding = ({ route }: ApiOperation) => route.path.endsWith('/consents/withdraw')
  return [...all.filter((each) => !isEnding(each)), ...all.filter(isEnding)]
}

/** The demo's stream and the public pages need one caller, not thirty; naming the tenant needs a parameter for it. */
function isPointless(gate: Gate, { name, namesTenant }: Credential, { route }: ApiOperation): boolean {
  if (['public', 'link', 'sandbox'].includes(gate)) return name !== 'no credential'
  return namesTenant === true && !Object.hasOwn(route.query?.properties ?? {}, 'tenantId')
}

/** Why the answer is a leak; null for a correct one. */
export function leakOf(
  { gate, credential, request, reply }: Cell,
  expected: 'refused' | 'blind',
  markers: Markers,
): string | null {
  const { status } = reply
  if (status >= 500) return `answered ${status}`
  // The sandbox is the outside world: it shows everything to everyone.
  if (gate === 'sandbox') return null
  const mustFail = expected === 'refused' || (request.namesObject && gate !== 'link' && gate !== 'public')
  if (mustFail && isSuccess(reply)) return `succeeded with ${status}: ${reply.text.slice(0, 200)}`
  if (credential.isSamePerson) return null
  const marker = markerIn(reply, request, markers)
  return marker === undefined ? null : `the answer (${status}) contains ${marker}`
}

/** A network message is refused by its content. A redirect to the sign-in page is a refusal. */
function isSuccess({ status, headers, text }: Reply): boolean {
  if (status >= 400) return false
  if (status >= 300) return !String(headers.location).includes('sign-in')
  return !text.includes('"NACK"')
}

function markerIn(
  { text, headers }: Reply,
  { sent }: OwnerRequest,
  { words, identifiers }: Markers,
): string | undefined {
  const shown = `${text} ${JSON.stringify(headers)}`.toLowerCase()
  const word = words.find((each) => shown.includes(each.toLowerCase()) && !sent.includes(each.toLowerCase()))
  return word ?? identifiersIn(shown).find((id) => identifiers.has(id) && !sent.includes(id))
}
