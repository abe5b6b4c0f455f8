// `lendloom tenant …`: tenants, their applications, and the origins that may embed the hosted page.

import { systemClock } from '@lendloom/foundation/clock'
import { createApplication, createTenant, enableProducts, listTenants } from '@lendloom/platform/operations/tenants'
import type { Run } from '@lendloom/postgres/sql'
import { CannotRun, type CommandCall, command, type Group, requireArgument, requireOption } from './command.ts'
import { operationsOf } from './console/commands.ts'
import { withDatabase } from './database.ts'

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
    const name = requireArgument(args, 'the name of the tenant')
    const data = await withDatabase('platform', env, (db) =>
      db.tx((tx) =>
        createTenant(
          tx,
          { name, applicationName: options.application ?? name, origins: options.origin ?? [] },
          systemClock(),
        ),
      ),
    )
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

/** Throws `CannotRun` for an unknown tenant id. */
export async function requireTenant(db: Run, tenantId: string): Promise<void> {
  const tenants = await listTenants(db)
  if (!tenants.some((each) => each.tenantId === tenantId.toLowerCase()))
    throw new CannotRun('the tenant does not exist: see lendloom tenant list')
}

const addOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the application' },
  origin: originOption,
} as const

const addApplication = command({
  name: 'tenant add-application',
  summary: 'add an application to a tenant',
  usage: '<name> --tenant <tenantId> [--origin <origin>…]',
  options: addOptions,
  async run({ args, options, env }: CommandCall<typeof addOptions>) {
    const name = requireArgument(args, 'the name of the application')
    const tenantId = requireOption(options.tenant, 'tenant')
    const applicationId = await withDatabase('platform', env, async (db) => {
      await requireTenant(db, tenantId)
      return db.tx((tx) => createApplication(tx, { tenantId, name, origins: options.origin ?? [] }, systemClock()))
    })
    return { text: `application  ${applicationId}`, data: { tenantId, applicationId } }
  },
})

const productOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the application' },
  application: { type: 'string', value: 'applicationId', about: 'the application' },
} as const

const products = command({
  name: 'tenant products',
  summary: 'set the products of an application; open journeys of other products continue',
  usage: '<product>… --tenant <tenantId> --application <applicationId>',
  options: productOptions,
  async run({ args, options, env }: CommandCall<typeof productOptions>) {
    const tenantId = requireOption(options.tenant, 'tenant')
    const applicationId = requireOption(options.application, 'application')
    await withDatabase('platform', env, (db) => enableProducts(db, tenantId, applicationId, args))
    return { text: `products: ${args.join(' ') || 'none'}`, data: { tenantId, applicationId, products: args } }
  },
})

export const tenant: Group = {
  name: 'tenant',
  summary: 'tenants, their applications and the themes of their pages',
  commands: [...operationsOf('tenant'), create, list, addApplication, products],
}
