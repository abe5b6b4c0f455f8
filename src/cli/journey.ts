// `lendloom journey …`: journeys found, looked at, and what is done about them.
import { findByExternalId } from '#platform/journey/store.ts'
import { type Call, command, type Group, only, table } from './command.ts'
import { withDatabase } from './database.ts'
import { acts } from './journey/acts.ts'
import { list, search, show } from './journey/seen.ts'
import { entry, timeline } from './journey/timeline.ts'

const options = {
  tenant: { type: 'string', value: 'tenantId', about: 'only journeys of this tenant' },
} as const

const find = command({
  name: 'journey find',
  summary: 'the journeys of a borrower, newest first',
  usage: '<borrowerProviderID> [--tenant <tenantId>]',
  options,
  async run({ args, options: { tenant }, env }: Call<typeof options>) {
    const externalId = only(args, 'the borrowerProviderID')
    const rows = await withDatabase('platform', env, (db) => findByExternalId(db, externalId, tenant ?? null))
    const cells = rows.map(({ journeyId, type, status, active, createdAt, tenantId }) => {
      return [journeyId, type, status, active ? 'active' : 'ended', createdAt.toISOString(), tenantId]
    })
    const head = ['JOURNEY', 'TYPE', 'STATUS', '', 'BEGAN', 'TENANT']
    return { text: rows.length > 0 ? table(head, cells) : `There is no journey of ${externalId}.`, data: rows }
  },
})

export const journey: Group = {
  name: 'journey',
  summary: 'journeys: find, show, what happened, and what can be done',
  commands: [find, search, list, show, timeline, entry, ...acts],
}
