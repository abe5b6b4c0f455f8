// What a person names otherwise than by its id, such as a colleague by e-mail address or a complaint by number: finds the id
// and the version that a request needs, and says in the help how each may be named.

import { isObject } from '@lendloom/foundation/record'
import { isUuid } from '@lendloom/foundation/uuid'
import { CannotRun, UsageError } from '#cli/command.ts'
import { type ConsoleCaller, everyItem } from './ask.ts'

interface Resource {
  /** The fields by which a person may name it; the first stands in the help. */
  by: readonly [string, ...string[]]
  /** The list that has it. */
  route: string
  /** The parameter of the list that finds it, for lists that search. */
  search?: string
  isPaged?: true
  /** Whether the list also finds it by the id of something else, such as a borrower by a journey. */
  findsIds?: true
  /** Words that stand for themselves, such as `me`. */
  words?: readonly string[]
  /** The field of an item that has the id, if it is not called as the parameter. */
  id?: string
  what: string
  /** The command that lists them. */
  listedBy: string
}

const user: Resource = {
  by: ['email'],
  route: 'GET /people',
  isPaged: true,
  id: 'personId',
  what: 'user',
  listedBy: 'people list',
}

const resources: Record<string, Resource> = {
  applicationId: {
    by: ['name'],
    route: 'GET /developers/applications',
    what: 'application',
    listedBy: 'tenant applications',
  },
  assigneeId: user,
  assignee: { ...user, words: ['me', 'none'] },
  person: { ...user, words: ['command-line'] },
  personId: user,
  complaintId: {
    by: ['number'],
    route: 'GET /complaints',
    isPaged: true,
    search: 'number',
    what: 'complaint',
    listedBy: 'complaints list',
  },
  lenderId: {
    by: ['bppId', 'name', 'providerId'],
    route: 'GET /lenders',
    isPaged: true,
    what: 'lender',
    listedBy: 'lenders list',
  },
  partnerId: {
    by: ['sender', 'name'],
    route: 'GET /lending-partners',
    what: 'lending partner',
    listedBy: 'partner list',
  },
  viewId: { by: ['name'], route: 'GET /views', what: 'view', listedBy: 'views list' },
  endpointId: {
    by: ['url'],
    route: 'GET /webhooks/endpoints',
    isPaged: true,
    what: 'webhook endpoint',
    listedBy: 'webhook health',
  },
  borrowerId: {
    by: ['borrower'],
    route: 'GET /privacy/borrowers',
    search: 'q',
    findsIds: true,
    what: 'borrower',
    listedBy: 'privacy find',
  },
}

/** What the help says of a parameter of a path. */
export function argumentText(param: string): string {
  const resource = resources[param]
  const names = (resource?.by ?? []).map((field) => ownNames[field] ?? field)
  if (resource) return `the ${resource.what}, by its ${[...names, 'id'].join(' or ')}`
  const words = param.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return param.endsWith('Id') ? `id of the ${words}` : words
}

/** Fields whose names in the API are not what people call them. */
const ownNames: Record<string, string> = {
  bppId: 'subscriber id',
  providerId: 'provider id',
  email: 'e-mail address',
  url: 'address',
}

/** How the help calls a parameter of a path: `bppId` is the subscriber id of the network. */
export function argumentName(param: string): string {
  const named = resources[param]?.by[0]
  if (named === undefined || named === 'url' || named === 'name') return param
  return named === 'bppId' ? 'subscriberId' : named
}

type Scope = Record<string, string>
type Item = Record<string, unknown>

/** The id of what a person has named; ids, and fields without another name, stay as they are. */
export async function idOfResource(ask: ConsoleCaller, param: string, given: string, scope: Scope): Promise<string> {
  const resource = resources[param]
  if (!resource || resource.words?.includes(given) || (isUuid(given) && !resource.findsIds)) return given
  const { by, route, search, isPaged, id = param, what, listedBy } = resource
  const query = search ? { [search]: given } : scope
  const items = isPaged
    ? await everyItem<Item>(ask, route, { query })
    : (await ask<{ items: Item[] }>(route, { query })).items
  const found = search
    ? items
    : items.filter((item) => by.some((field) => String(item[field]).toLowerCase() === given.trim().toLowerCase()))
  const ids = found.map((item) => String(item[id]))
  const [only] = ids
  if (only === undefined) throw new CannotRun(`${what} ${given} does not exist: see lendloom ${listedBy}`)
  if (ids.length > 1) throw new UsageError(`several have the name "${given}": give one of the ids ${ids.join(', ')}`)
  return only
}

/** The current version of what a request changes, from its own route or from the list that has it. */
export async function versionOf(
  ask: ConsoleCaller,
  route: string,
  params: Record<string, string>,
  scope: Scope,
): Promise<unknown> {
  const answer = await ask<Record<string, unknown>>(route, { params, query: scope })
  const { items } = answer
  const found = Array.isArray(items)
    ? items.find((item) => isObject(item) && Object.entries(params).every(([name, id]) => item[name] === id))
    : answer
  if (!found) throw new CannotRun(`${Object.values(params).join(' ')} does not exist`)
  return found.version
}
