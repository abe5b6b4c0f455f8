// Secret links: a token opens only its own page; a token of another page, or with one letter changed, opens nothing.
import { uuidv7 } from '@lendloom/seal/id'
import { spoil } from '@lendloom/tests/setup/spoil'
import { send } from '../api/call.ts'
import { type Gate, gateOf } from '../api/gates.ts'
import type { Ids } from '../api/ids.ts'
import { type ApiOperation, operations, type ProgramName } from '../api/operations.ts'
import type { Owner } from '../api/owner.ts'
import { requestOf } from './requests.ts'

export interface ProofTarget {
  ids: Ids
  urls: Record<ProgramName, string>
}

const bearersOf = ({ tenant, headless, embed }: Owner): Partial<Record<Gate, string>> => ({
  'api key': tenant.apiKey,
  'headless session': headless.sessionToken,
  'embed session': embed.sessionToken,
})

export interface OwnReads {
  /** The owner's reads that succeeded, of all. */
  succeeded: number
  all: number
  text: string
}

/** Control: every GET with the owner's own credential. Their answers contain the owner's links. */
export async function readOwn(owner: Owner, { ids, urls }: ProofTarget): Promise<OwnReads> {
  const bearers = bearersOf(owner)
  const reads = operations.flatMap((operation) => {
    const bearer = bearers[gateOf(operation)]
    return operation.route.method === 'GET' && bearer ? [{ operation, bearer }] : []
  })
  const texts: string[] = []
  for (const { operation, bearer } of reads) {
    const request = requestOf(operation, ids, { urls })
    const reply = await send({ ...request, headers: { ...request.headers, authorization: `Bearer ${bearer}` } })
    if (reply.status < 300) texts.push(reply.text)
  }
  return { succeeded: texts.length, all: reads.length, text: texts.join('\n') }
}

const prefixOf = (path: string): string => path.slice(0, path.indexOf('{token}'))

const linkOperations = (): ApiOperation[] =>
  operations.filter((operation) => gateOf(operation) === 'link' && operation.route.path.includes('{token}'))

/** The tokens in the owner's answers, by the prefix of their page. */
function tokensIn(text: string): Map<string, string> {
  const tokens = new Map<string, string>()
  for (const { route } of linkOperations()) {
    const prefix = prefixOf(route.path)
    const [, token] = new RegExp(`https?://[^/"]+${prefix}([\\w.~-]{20,})`).exec(text) ?? []
    if (token) tokens.set(prefix, token)
  }
  return tokens
}

export interface LinkCells {
  cells: number
  /** Pages that the owner's own token opened. */
  opened: number
  leaks: string[]
}

/** Calls each page with tokens of other pages, spoilt tokens and made-up ones. */
export async function callLinks(text: string, { ids, urls }: ProofTarget, words: string[]): Promise<LinkCells> {
  const tokens = tokensIn(text)
  const result: LinkCells = { cells: 0, opened: 0, leaks: [] }
  for (const operation of linkOperations()) {
    const prefix = prefixOf(operation.route.path)
    const own = tokens.get(prefix)
    const foreign = [...tokens].flatMap(([other, token]) => (other === prefix ? [] : [token]))
    const wrong = [...foreign, ...(own ? [spoil(own)] : []), madeUp(), uuidv7(Date.now())]
    for (const token of wrong) {
      const reply = await send(requestOf(operation, { ...ids, token }, { urls }))
      result.cells++
      const word = words.find((each) => reply.text.toLowerCase().includes(each.toLowerCase()))
      if (reply.status < 400 || reply.status >= 500 || word)
        result.leaks.push(`${operation.name} with ${token}: ${reply.status} ${word ?? ''}`)
    }
    if (!own || operation.route.method !== 'GET') continue
    const control = await send(requestOf(operation, { ...ids, token: own }, { urls }))
    if (control.status < 400) result.opened++
  }
  return result
}

const madeUp = (): string => 'A'.repeat(43)
