// `lendloom tenant …`: who integrates, and which pages may embed the hosted journey.

import type { Run } from '#kit/db/sql.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { listTenants } from '#platform/access/tenant/store.ts'
import { createApplication, createTenant, switchProducts } from '#platform/access/tenant.ts'
import { CannotRun, type CommandCall, command, type Group, only, required } from './command.ts'
import { asking } from './console/ask.ts'
import { ofTenant } from './console/words.ts'
import { withDatabase } from './database.ts'
import { checkEmbed } from './tenant/check-embed.ts'
import { resetTheme, setTheme, showTheme } from './tenant/theme.ts'

const createOptions = {
  application: {
    type: 'string',
    value: 'name',
    about: 'name of its first application (default: the name of the tenant)',
  },
  origin: {
    type: 'string',
    value: 'https://app.example',
    about: 'a page that may embed it; may be repeated',
    multiple: true,
  },
} as const

const create = command({
  name: 'tenant create',
  summary: 'make a tenant with its first application',
  usage: '<name> [--application <name>] [--origin <origin>…]',
  options: createOptions,
  async run({ args, options, env }: CommandCall<typeof createOptions>) {
    const name = only(args, 'the name of the tenant')
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
      text: `tenant       ${data.tenantId}\napplication  ${data.applicationId}\n\nNext: lendloom key create ${data.tenantId} --application ${data.applicationId}`,
      data,
    }
  },
})

const list = command({
  name: 'tenant list',
  summary: 'show tenants and their applications',
  usage: '',
  options: {},
  async run({ env }: CommandCall<Record<string, never>>) {
    const tenants = await withDatabase('platform', env, (db) => listTenants(db))
    const text = tenants
      .map(({ tenantId, name, applications }) =>
        [
          `${tenantId}  ${name}`,
          ...applications.map(
            (one) => `  ${one.applicationId}  ${one.name}  ${one.origins.join(' ') || 'no origin may embed it yet'}`,
          ),
        ].join('\n'),
      )
      .join('\n')
    return { text: text || 'There is no tenant yet: lendloom tenant create <name>', data: { tenants } }
  },
})

/** Throws `CannotRun` for an unknown tenant id. */
export async function mustExist(db: Run, tenantId: string): Promise<void> {
  const tenants = await listTenants(db)
  if (!tenants.some((one) => one.tenantId === tenantId.toLowerCase()))
    throw new CannotRun('there is no such tenant: see lendloom tenant list')
}

const addOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'whose application it is' },
  origin: {
    type: 'string',
    value: 'https://app.example',
    about: 'a page that may embed it; may be repeated',
    multiple: true,
  },
} as const

const addApplication = command({
  name: 'tenant add-application',
  summary: 'add an application to a tenant',
  usage: '<name> --tenant <tenantId> [--origin <origin>…]',
  options: addOptions,
  async run({ args, options, env }: CommandCall<typeof addOptions>) {
    const name = only(args, 'the name of the application')
    const tenantId = required(options.tenant, 'tenant')
    const applicationId = await withDatabase('platform', env, async (db) => {
      await mustExist(db, tenantId)
      return db.tx((tx) => createApplication(tx, { tenantId, name, origins: options.origin ?? [] }, systemClock()))
    })
    return { text: `application  ${applicationId}`, data: { tenantId, applicationId } }
  },
})

const originsOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'whose application it is' },
  application: { type: 'string', value: 'applicationId', about: 'the application' },
} as const

const origins = asking({
  name: 'tenant origins',
  summary: 'set the pages that may embed an application, replacing all before',
  usage: '<origin>… --tenant <tenantId> --application <applicationId>',
  options: originsOptions,
  route: 'PUT /developers/applications/{applicationId}/origins',
  input: ({ args: origins, options }) => ({
    params: { applicationId: required(options.application, 'application') },
    query: ofTenant(options),
    body: { origins },
  }),
  text: (_: null, { args }) => `may embed: ${args.join(' ') || 'no page'}`,
})

const products = command({
  name: 'tenant products',
  summary: 'switch on the products of an application, and off all others; journeys under way go on',
  usage: '<product>… --tenant <tenantId> --application <applicationId>',
  options: originsOptions,
  async run({ args, options, env }: CommandCall<typeof originsOptions>) {
    const [tenantId, applicationId] = [required(options.tenant, 'tenant'), required(options.application, 'application')]
    await withDatabase('platform', env, (db) => switchProducts(db, tenantId, applicationId, args))
    return { text: `switched on: ${args.join(' ') || 'none'}`, data: { tenantId, applicationId, products: args } }
  },
})

export const tenant: Group = {
  name: 'tenant',
  summary: 'who integrates, from which pages, and how the page looks',
  commands: [create, list, addApplication, origins, checkEmbed, products, showTheme, setTheme, resetTheme],
}
