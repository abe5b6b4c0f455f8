// `lendloom tenant …`: tenants, their applications, and the origins that may embed the hosted page.

import { createApplication, createTenant, enableProducts, listTenants } from '@lendloom/platform/operations/tenants'
import type { Run } from '@lendloom/postgres/sql'
import {
  CannotRun,
  type CommandCall,
  command,
  type Group,
  requireArgument,
  requireOption,
  UsageError,
} from './command.ts'
import { operationsOf } from './console/commands.ts'
import { withDatabase } from './database.ts'
import { clockOf } from './installation.ts'

const originOption = {
  type: 'string',
  value: 'https://app.example',
  about: 'origin that may embed the page; may be repeated',
  multiple: true,
} as const

const createOptions = {
  application: {
    type: 'string',
    value: 'name',
    about: 'name of the first application (default: the name of the tenant)',
  },
  origin: originOption,
} as const

const create = command({
  name: 'tenant create',
  summary: 'create a tenant with its first application',
  usage: '<name> [--application <name>] [--origin <origin>…]',
  options: createOptions,
  async run({ args, options, env }: CommandCall<typeof createOptions>) {
    const name = nameIn(requireArgument(args, 'the name of the tenant'))
    const data = await withDatabase('platform', env, async (db) => {
      if ((await listTenants(db)).some((each) => each.name.toLowerCase() === name.toLowerCase()))
        throw new CannotRun(`there is a tenant with the name "${name}" already`)
      return db.tx((tx) =>
        createTenant(
          tx,
          { name, applicationName: options.application ?? name, origins: options.origin ?? [] },
          clockOf(env)(),
        ),
      )
    })
    return {
      text: `tenant       ${data.tenantId}\napplication  ${data.applicationId}\n\nNext: lendloom key create --tenant ${data.tenantId} --application ${data.applicationId}`,
      data,
    }
  },
})

const list = command({
  name: 'tenant list',
  summary: 'list tenants and their applications',
  usage: '',
  options: {},
  async run({ env }: CommandCall<Record<string, never>>) {
    const tenants = await withDatabase('platform', env, (db) => listTenants(db))
    const text = tenants
      .map(({ tenantId, name, applications }) =>
        [
          `${tenantId}  ${name}`,
          ...applications.map(
            (each) =>
              `  ${each.applicationId}  ${each.name}  ${each.origins.join(' ') || 'no origin may embed it yet'}`,
          ),
        ].join('\n'),
      )
      .join('\n')
    return { text: text || 'There are no tenants yet: lendloom tenant create <name>', data: { tenants } }
  },
})

/** The id of a tenant, which may be given by its name. Throws `CannotRun` if it does not exist, or several have the name. */
export async function tenantIdOf(db: Run, idOrName: string): Promise<string> {
  const wanted = idOrName.toLowerCase()
  const found = (await listTenants(db)).filter(
    ({ tenantId, name }) => tenantId === wanted || name.toLowerCase() === wanted,
  )
  const [tenant] = found
  if (!tenant) throw new CannotRun('the tenant does not exist: see lendloom tenant list')
  if (found.length > 1)
    throw new CannotRun(
      `several have this name; give one of the ids ${found.map(({ tenantId }) => tenantId).join(', ')}`,
    )
  return tenant.tenantId
}

/** A name that a person can type again and a table can show. Throws `UsageError` for any other. */
function nameIn(text: string): string {
  const name = text.trim()
  if (name.length > 100 || /[\p{Cc}\p{Bidi_Control}]/u.test(name))
    throw new UsageError('the name must have at most 100 characters, without line breaks and other control characters')
  return name
}

const addOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the application, by its id or name' },
  origin: originOption,
} as const

const addApplication = command({
  name: 'tenant add-application',
  summary: 'add an application to a tenant',
  usage: '<name> --tenant <tenantId> [--origin <origin>…]',
  options: addOptions,
  async run({ args, options, env }: CommandCall<typeof addOptions>) {
    const name = nameIn(requireArgument(args, 'the name of the application'))
    const data = await withDatabase('platform', env, async (db) => {
      const tenantId = await tenantIdOf(db, requireOption(options.tenant, 'tenant'))
      const application = { tenantId, name, origins: options.origin ?? [] }
      return { tenantId, applicationId: await db.tx((tx) => createApplication(tx, application, clockOf(env)())) }
    })
    return { text: `application  ${data.applicationId}`, data }
  },
})

const productOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the application, by its id or name' },
  application: { type: 'string', value: 'applicationId', about: 'the application' },
} as const

const products = command({
  name: 'tenant products',
  summary: 'set the products of an application; open journeys of other products continue',
  usage: '<product>… --tenant <tenantId> --application <applicationId>',
  options: productOptions,
  async run({ args, options, env }: CommandCall<typeof productOptions>) {
    const applicationId = requireOption(options.application, 'application')
    const tenantId = await withDatabase('platform', env, async (db) => {
      const id = await tenantIdOf(db, requireOption(options.tenant, 'tenant'))
      await enableProducts(db, id, applicationId, args)
      return id
    })
    return { text: `products: ${args.join(' ') || 'none'}`, data: { tenantId, applicationId, products: args } }
  },
})

export const tenant: Group = {
  name: 'tenant',
  summary: 'tenants, their applications and the themes of their pages',
  commands: [...operationsOf('tenant'), create, list, addApplication, products],
}
