// Options of commands: their default values from the context, the required ones, and names in place of ids.

import { keysOf } from '@lendloom/foundation/record'
import { isUuid } from '@lendloom/foundation/uuid'
import type { Applications } from '@lendloom/wire/console/developers'
import type { Me } from '@lendloom/wire/console/staff'
import type { Command, CommandCall, Options } from '#cli/command.ts'
import { UsageError } from '#cli/command.ts'
import { contextOf, tenantOfContext } from '#cli/contexts.ts'
import { plainText } from '#cli/terminal.ts'

type Values = CommandCall<Options>['options']
type Ask = <T>(route: string, input?: { query: Record<string, string | undefined> }) => Promise<T>

/** Adds the context's tenant and application only where required: an optional tenant narrows, so a person must name it. */
export function withDefaults({ usage }: Pick<Command, 'usage'>, values: Values, env: NodeJS.ProcessEnv): Values {
  const defaults = { tenant: tenantOfContext, application: (given: NodeJS.ProcessEnv) => contextOf(given)?.application }
  const missing = requiredIn(usage).filter((name) => values[name] === undefined)
  const added = keysOf(defaults).filter((name) => missing.includes(name))
  return { ...values, ...Object.fromEntries(added.map((name) => [name, defaults[name](env)])) }
}

/** Throws `UsageError` that names all missing options. An option is required if the usage shows it without brackets. */
export function checkRequired({ name, usage }: Pick<Command, 'name' | 'usage'>, values: Values): void {
  const missing = requiredIn(usage).filter((each) => values[each] === undefined || values[each] === '')
  if (missing.length === 0) return
  const list = new Intl.ListFormat('en').format(missing.map((each) => `--${each}`))
  throw new UsageError(`${list} ${missing.length === 1 ? 'is' : 'are'} missing; see lendloom help ${name}`)
}

function requiredIn(usage: string): string[] {
  let depth = 0
  const outside = [...usage].filter((character) => {
    if (character === '[') depth++
    if (character === ']') depth--
    return depth === 0 && character !== ']'
  })
  const text = outside.join('')
  // An alternative such as `<dir> | --end` has no required option.
  return text.includes(' | ') ? [] : [...text.matchAll(/--([\w-]+)/g)].map(([, option = '']) => option)
}

/**
 * Replaces the names of a tenant and an application by their ids. A tenant that is the first argument is by default that
 * of the context. Throws `UsageError` for a name that does not exist.
 */
export async function withIds<O extends Options>(
  ask: Ask,
  call: CommandCall<O>,
  usage: string,
): Promise<CommandCall<O>> {
  const [firstArgument, ...otherArguments] = call.args
  const isArgument = /^\[?<tenantId>/.test(usage)
  const { tenant: option, application }: Values = call.options
  const tenant = isArgument ? (firstArgument ?? tenantOfContext(call.env)) : option
  const { tenantId, applicationId } = await idsOf(ask, { tenant, application })
  const ids: Values = {
    ...(tenantId !== undefined && !isArgument && { tenant: tenantId }),
    ...(applicationId !== undefined && { application: applicationId }),
  }
  const args = isArgument && typeof tenantId === 'string' ? [tenantId, ...otherArguments] : call.args
  return { ...call, args, options: { ...call.options, ...ids } }
}

/** Replaces the names in the query of a request. */
export async function queryWithIds(ask: Ask, query: Record<string, string | undefined>): Promise<typeof query> {
  const { tenantId: tenant, applicationId: application } = query
  return { ...query, ...(await idsOf(ask, { tenant, application })) }
}

/** Finds the ids of a tenant and an application that may be names. Other values stay as they are. */
async function idsOf<Value>(ask: Ask, { tenant, application }: { tenant: Value; application: Value }) {
  const tenantId = isName(tenant) ? await tenantNamed(ask, tenant) : tenant
  const applicationId = isName(application) ? await applicationNamed(ask, application, tenantId) : application
  return { tenantId, applicationId }
}

const isName = (value: unknown): value is string => typeof value === 'string' && !isUuid(value)

async function tenantNamed(ask: Ask, name: string): Promise<string> {
  const { tenants } = await ask<Me>('GET /me')
  return only(tenants, name, 'tenant').tenantId
}

async function applicationNamed(ask: Ask, name: string, tenantId: unknown): Promise<string> {
  const query = { tenantId: typeof tenantId === 'string' ? tenantId : undefined }
  const { items } = await ask<Applications>('GET /developers/applications', { query })
  return only(items, name, 'application').applicationId
}

function only<Item extends { name: string }>(items: Item[], name: string, what: string): Item {
  const found = items.filter((each) => each.name.toLowerCase() === name.toLowerCase())
  const [first] = found
  if (first && found.length === 1) return first
  const names = items.map((each) => each.name)
  throw new UsageError(
    found.length > 1
      ? `several have the name "${name}": give the id of the ${what}`
      : `there is no ${what} "${name}"; there ${names.length === 0 ? 'is none' : `are: ${plainText(names.slice(0, 20).join(', '))}`}`,
  )
}
