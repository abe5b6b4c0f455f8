// `lendloom webhook …`: the endpoints that take an application's lifecycle updates, what became of each update, and sending one again (D1 §6).
import { statuses } from '#contract/hosted/lifecycle.ts'
import { isUuid } from '#kit/crypto/id.ts'
import type { Db } from '#kit/db/sql.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { findApplication } from '#platform/access/tenant/store.ts'
import { settings } from '#platform/settings.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { type DeliveryState, deliveryPolicyOf, deliveryStates, everything } from '#platform/webhook/delivery.ts'
import { listEndpoints } from '#platform/webhook/endpoint/store.ts'
import { oldSecretHours } from '#platform/webhook/endpoint.ts'
import {
  checkEndpointUrl,
  register,
  remove as removeEndpoint,
  rotate as rotateSecret,
} from '#platform/webhook/manage-endpoints.ts'
import { replay as replayDelivery } from '#platform/webhook/replay.ts'
import { listDeliveries, type Owner, ownerOfDelivery, ownerOfEvent } from '#platform/webhook/store.ts'
import { type Call, CannotRun, type CommandTree, command, only, required, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'
import { checkSignature } from './webhook/check-signature.ts'
import { delivery } from './webhook/delivery.ts'
import { change, health, pause, resume, show, test } from './webhook/endpoints.ts'
import { replays } from './webhook/replays.ts'
import { alerts } from './webhook-alerts.ts'

const whose = {
  tenant: { type: 'string', value: 'tenantId', about: 'the tenant' },
  application: { type: 'string', value: 'applicationId', about: 'its application' },
} as const
const usageOfWhose = '--tenant <tenantId> --application <applicationId>'

type Whose = Call<typeof whose>['options']

/** Opens the database for an application that exists. */
const forApplication = <T>(options: Whose, env: NodeJS.ProcessEnv, work: (db: Db, owner: Owner) => Promise<T>) => {
  const owner = {
    tenantId: required(options.tenant, 'tenant'),
    applicationId: required(options.application, 'application'),
  }
  return withDatabase('platform', env, async (db) => {
    const isKnown =
      Object.values(owner).every(isUuid) && (await findApplication(db, owner.tenantId, owner.applicationId))
    if (!isKnown) throw new CannotRun('there is no such application of this tenant: see lendloom tenant list')
    return work(db, owner)
  })
}

const idOf = (args: string[], what: string): string => {
  const id = only(args, what)
  if (!isUuid(id)) throw new UsageError(`${what} is an id, not "${id}"`)
  return id
}

const among = <Word extends string>(word: string | undefined, words: readonly Word[], name: string): Word | null =>
  word === undefined ? null : oneOf(word, words, name)

function oneOf<Word extends string>(word: string, words: readonly Word[], name: string): Word {
  const known = words.find((one) => one === word.toUpperCase())
  if (!known) throw new UsageError(`--${name} must be one of ${words.join(', ')}, not "${word}"`)
  return known
}

/** In the audit log, by nobody in particular. */
const noted = (
  write: Parameters<typeof noteStaffAct>[0],
  act: string,
  { tenantId }: Owner,
  subject: string,
): Promise<void> => noteStaffAct(write, null, { act, subject, tenantId })

const list = command({
  name: 'webhook list',
  summary: 'show the webhook endpoints of an application, without their secrets',
  usage: usageOfWhose,
  options: whose,
  async run({ options, env }: Call<typeof whose>) {
    const endpoints = await forApplication(options, env, (db, owner) => listEndpoints(db, owner, null, 1000))
    const cells = endpoints.map(({ endpointId, url, statuses: wanted, disabledBecause, pausedAt }) => {
      const state = disabledBecause ? `disabled: ${disabledBecause}` : pausedAt ? 'paused' : 'enabled'
      return [endpointId, state, wanted?.join(',') ?? 'all', url]
    })
    const text = cells.length > 0 ? table(['ENDPOINT', 'STATE', 'STATUSES', 'URL'], cells) : 'No endpoints yet.'
    return { text, data: { endpoints } }
  },
})

const addOptions = {
  ...whose,
  status: {
    type: 'string',
    value: 'STATUS',
    about: 'a status it wants; may be repeated (default: all)',
    multiple: true,
  },
} as const

const add = command({
  name: 'webhook add',
  summary: 'register a webhook endpoint; its secret is shown once',
  usage: `<url> ${usageOfWhose} [--status <STATUS>…]`,
  options: addOptions,
  async run({ args, options, env }: Call<typeof addOptions>) {
    const url = only(args, 'the url')
    const wanted = options.status?.map((word) => oneOf(word, statuses, 'status')) ?? null
    const data = await forApplication(options, env, async (db, owner) => {
      await checkEndpointUrl(url, deliveryPolicyOf(configFrom({ SANDBOX: settings.SANDBOX }, env)))
      return db.tx(async (tx) => {
        const at = systemClock()
        const made = await register(tx, sealOf(env), owner, { url, statuses: wanted, at })
        await noted({ tx, at }, 'WEBHOOK_ADDED', owner, made.endpoint.endpointId)
        return made
      })
    })
    const text = `${data.secret}\n\nKeep it now: it cannot be shown again. The endpoint is ${data.endpoint.endpointId}.`
    return { text, data: { ...data.endpoint, secret: data.secret } }
  },
})

const remove = command({
  name: 'webhook remove',
  summary: 'remove a webhook endpoint; what was still to be delivered to it stops',
  usage: `<endpointId> ${usageOfWhose}`,
  options: whose,
  async run({ args, options, env }: Call<typeof whose>) {
    const endpointId = idOf(args, 'the endpoint')
    await forApplication(options, env, (db, owner) =>
      db.tx(async (tx) => {
        await removeEndpoint(tx, owner, endpointId)
        await noted({ tx, at: systemClock() }, 'WEBHOOK_REMOVED', owner, endpointId)
      }),
    )
    return { text: `removed ${endpointId}`, data: { endpointId } }
  },
})

const rotate = command({
  name: 'webhook rotate',
  summary: `give an endpoint a new secret; the old one signs beside it for ${oldSecretHours} hours`,
  usage: `<endpointId> ${usageOfWhose}`,
  options: whose,
  async run({ args, options, env }: Call<typeof whose>) {
    const endpointId = idOf(args, 'the endpoint')
    const data = await forApplication(options, env, (db, owner) =>
      db.tx(async (tx) => {
        const at = systemClock()
        const rotated = await rotateSecret(tx, sealOf(env), owner, { endpointId, at })
        await noted({ tx, at }, 'WEBHOOK_SECRET_ROTATED', owner, endpointId)
        return rotated
      }),
    )
    const until = data.oldSecretUntil.toISOString()
    const text = `${data.secret}\n\nKeep it now: it cannot be shown again. The old one signs too until ${until}.`
    return { text, data: { endpointId, ...data } }
  },
})

const deliveriesOptions = {
  ...whose,
  event: {
    type: 'string',
    value: 'webhookId',
    about: 'of one event only, by the webhook-id of its tries; its tenant and application need not be named',
  },
  journey: { type: 'string', value: 'journeyId', about: 'of this journey only' },
  endpoint: { type: 'string', value: 'endpointId', about: 'to this endpoint only' },
  state: { type: 'string', value: deliveryStates.join('|'), about: 'in this state only' },
  status: { type: 'string', value: 'STATUS', about: 'of this lifecycle status only' },
  limit: { type: 'string', value: 'n', about: 'so many at most (default: 20)' },
} as const

const deliveries = command({
  name: 'webhook deliveries',
  summary: 'show what was delivered, what waits and what was given up, newest first',
  usage: `(${usageOfWhose} | --event <id>) [--journey <id>] [--endpoint <id>] [--state <state>] [--status <STATUS>] [--limit <n>]`,
  options: deliveriesOptions,
  async run({ options, env }: Call<typeof deliveriesOptions>) {
    const limit = Number(options.limit ?? 20)
    if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
      throw new UsageError(`--limit must be a whole number from 1 to 1000, not "${options.limit}"`)
    const filter = {
      ...everything,
      eventId: options.event === undefined ? null : idOf([options.event], '--event'),
      journeyId: options.journey === undefined ? null : idOf([options.journey], '--journey'),
      endpointId: options.endpoint === undefined ? null : idOf([options.endpoint], '--endpoint'),
      state: among<DeliveryState>(options.state, deliveryStates, 'state'),
      status: among(options.status, statuses, 'status'),
    }
    const { eventId } = filter
    const isFound = eventId !== null && options.tenant === undefined && options.application === undefined
    let found: Owner | undefined
    const rows = isFound
      ? await withDatabase('platform', env, async (db) => {
          found = await ownerOfEvent(db, eventId)
          return found ? listDeliveries(db, found, filter, limit) : []
        })
      : await forApplication(options, env, (db, owner) => listDeliveries(db, owner, filter, limit))
    const cells = rows.map(({ deliveryId, journeyId, status, state, attempt, lastAnswer, createdAt }) => {
      return [deliveryId, createdAt.toISOString(), journeyId, status, state, String(attempt), lastAnswer ?? '']
    })
    const head = ['DELIVERY', 'CREATED', 'JOURNEY', 'STATUS', 'STATE', 'TRIES', 'LAST ANSWER']
    const whom = found ? `tenant ${found.tenantId}, application ${found.applicationId}\n\n` : ''
    return {
      text: cells.length > 0 ? whom + table(head, cells) : 'There are none.',
      data: { ...found, deliveries: rows },
    }
  },
})

const replay = command({
  name: 'webhook replay',
  summary: 'deliver once more: the same event under the same webhook-id',
  usage: `<deliveryId> [${usageOfWhose}]`,
  options: whose,
  async run({ args, options, env }: Call<typeof whose>) {
    const deliveryId = idOf(args, 'the delivery')
    const isFound = options.tenant === undefined && options.application === undefined
    const of = isFound ? await withDatabase('platform', env, (db) => ownerOfDelivery(db, deliveryId)) : undefined
    if (isFound && !of) throw new CannotRun('there is no such delivery')
    const owner = of ? { tenant: of.tenantId, application: of.applicationId } : options
    const data = await forApplication(owner, env, (db, owner) =>
      db.tx(async (tx) => {
        const at = systemClock()
        const due = await replayDelivery(tx, owner, deliveryId, at)
        await noted({ tx, at }, 'WEBHOOK_REPLAYED', owner, deliveryId)
        return due
      }),
    )
    return { text: `${deliveryId} is due again`, data }
  },
})

export const webhook: CommandTree = {
  name: 'webhook',
  summary: 'webhook endpoints and deliveries: their health, what was delivered, and sending it again',
  commands: [
    ...[list, health, show, add, change, pause, resume, rotate, test, remove],
    ...[deliveries, delivery, replay, replays, checkSignature, alerts],
  ],
}
