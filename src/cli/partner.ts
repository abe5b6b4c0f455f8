// `lendloom partner …`: the lending partners outside the network: added, changed, given new credentials, switched off and on, as in the console.
import { readFileSync, writeFileSync } from 'node:fs'
import { type LendingPartner, NewPartner, PartnerChange, RotateRequest } from '#contract/console/lending-partners.ts'
import { credentialDirections } from '#contract/console/partner-lists.ts'
import type { Tx } from '#kit/db/sql.ts'
import { parse, type Static } from '#kit/http/schema.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { madeWire, seenPartners } from '#platform/console/lending-partners-view.ts'
import { addPartner, changePartner, rotateCredential } from '#platform/exchange/partner/change.ts'
import type { Rotated } from '#platform/exchange/partner/rotate.ts'
import { lenderNameOf } from '#platform/exchange/partner.ts'
import { countEffect } from '#platform/lender/switch/store.ts'
import { switchOff, switchOn } from '#platform/lender/switch.ts'
import { settings } from '#platform/settings.ts'
import { type Call, CannotRun, command, type Group, only, required, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'
import { changeFrom, credentialsIn, fieldOptions } from './partner/fields.ts'

const partnersIn = (env: NodeJS.ProcessEnv): Promise<LendingPartner[]> =>
  withDatabase('platform', env, (db) => seenPartners({ db, seal: sealOf(env) }, systemClock()))

/** The partner of a sender or an id. */
async function named(env: NodeJS.ProcessEnv, word: string): Promise<LendingPartner> {
  const all = await partnersIn(env)
  const found = all.find(
    ({ sender, partnerId }) => sender.toLowerCase() === word.toLowerCase() || partnerId === word.toLowerCase(),
  )
  if (!found) throw new CannotRun(`there is no lending partner ${word}: see lendloom partner list`)
  return found
}

/** Does an act by nobody in particular, and gives the partner as it is then. */
async function act<T>(env: NodeJS.ProcessEnv, work: (ctx: Parameters<typeof addPartner>[0]) => Promise<T>): Promise<T> {
  const { SANDBOX } = configFrom({ SANDBOX: settings.SANDBOX }, env)
  const seal = sealOf(env)
  return withDatabase('platform', env, (db) =>
    db.tx((tx: Tx) => work({ tx, at: systemClock(), seal, config: { SANDBOX } })),
  )
}

const state = ({ isOff }: LendingPartner): string => (isOff ? 'off' : 'on')

const list = command({
  name: 'partner list',
  summary: 'lending partners, whether they are on, and what waits for them',
  usage: '',
  options: {},
  async run({ env }) {
    const items = await partnersIn(env)
    const cells = items.map((one) => [
      ...[one.sender, one.name, one.url, one.products.join(' '), state(one)],
      ...[String(one.waitingEvents), String(one.deadEvents), one.lastEventAt ?? 'none in a day'],
    ])
    const head = ['SENDER', 'NAME', 'ADDRESS', 'PRODUCTS', 'SWITCH', 'WAITING', 'GIVEN UP', 'LAST EVENT']
    const text = cells.length > 0 ? table(head, cells) : 'There is none: lendloom partner add makes one.'
    return { text, data: { items } }
  },
})

function described(one: LendingPartner): string {
  const rows = [
    ...[
      ['sender', one.sender],
      ['we are', one.ourSender],
      ['name', one.name],
      ['address', one.url],
    ],
    ...[
      ['id', one.partnerId],
      ['products', one.products.join(' ')],
    ],
    ['switch', one.isOff ? `off: ${one.offReason ?? ''}` : 'on'],
    ...Object.entries(one.rules).map(([field, value]) => [field, String(value)]),
    ...Object.entries(one.contact).map(([field, value]) => [field, value]),
    ...one.outgoing.map(({ keyId, from, isUsed }) => ['we present', `${keyId} ${isUsed ? 'now' : `from ${from}`}`]),
    ...one.incoming.map(({ keyId, until }) => ['it presents', `${keyId}${until ? ` until ${until}` : ''}`]),
    ...[
      ['events waiting', String(one.waitingEvents)],
      ['given up', String(one.deadEvents)],
    ],
    ['last event', one.lastEventAt ?? 'none in a day'],
  ]
  return table(['FIELD', 'VALUE'], rows)
}

const show = command({
  name: 'partner show',
  summary: 'a lending partner: what may be recommended to it, its contacts, its credentials by name',
  usage: '<sender>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const data = await named(env, only(args, 'the sender of the partner'))
    return { text: described(data), data }
  },
})

const addOptions = {
  ...fieldOptions,
  'our-sender': { type: 'string', value: 'text', about: 'what we call ourselves to it (default: LENDLOOM)' },
  credentials: {
    type: 'string',
    value: 'file',
    about: 'credentials that both sides have already, as exchange conform reads them; without it they are made',
  },
  out: {
    type: 'string',
    value: 'file',
    about: 'write the credentials there, for its owner alone, and not on the screen',
  },
} as const

const add = command({
  name: 'partner add',
  summary: 'add a lending partner, switched off; its credentials are printed once',
  usage:
    '<sender> --name <text> --url <url> [--credentials <file>] [--product <id>]… [--set <field=value>]… [--out <file>]',
  options: addOptions,
  async run({ args, options, env }: Call<typeof addOptions>) {
    const sender = only(args, 'the sender of the partner: what it calls itself in its events')
    const known = options.credentials === undefined ? null : credentialsIn(options.credentials)
    if (known && known.webhook.sender !== sender)
      throw new UsageError(`the credentials are of ${known.webhook.sender}, not of ${sender}`)
    const [firstKey] = known?.webhook.keys ?? []
    const ourSender = options['our-sender'] ?? known?.sender
    const request = parse(NewPartner, {
      ...changeFrom(options),
      ...{ sender, name: required(options.name, 'name'), url: required(options.url, 'url') },
      ...(ourSender !== undefined && { ourSender }),
      ...(known && { outgoing: { bearer: known.bearer, keyId: known.keyId, secret: known.secret } }),
      ...(known && firstKey && { incoming: { bearer: known.webhook.bearer, ...firstKey } }),
    })
    const made = await act(env, (ctx) => addPartner(ctx, null, request))
    const credentials = fileOf(made)
    const partner = await named(env, sender)
    const next = `It is switched off: lendloom partner switch-on ${sender} begins.`
    if (options.out !== undefined) writeFileSync(options.out, `${asText(credentials)}\n`, { mode: 0o600 })
    const isShown = options.out === undefined && known === null
    const where = isShown
      ? `${asText(credentials)}\n\nThese are shown once.`
      : options.out && `Its credentials are in ${options.out}.`
    const text = [described(partner), where, next].filter(Boolean).join('\n\n')
    return { text, data: isShown ? { ...madeWire(partner, made), credentials } : { partner } }
  },
})

const asText = (value: unknown): string => JSON.stringify(value, null, 2)

/** As both sides and `exchange conform` read them. */
const fileOf = ({ partner, outgoing, incoming }: Rotated) => ({
  sender: partner.credentials.ourSender,
  ...(outgoing && { bearer: outgoing.bearer, keyId: outgoing.keyId, secret: outgoing.secret }),
  webhook: {
    sender: partner.sender,
    ...(incoming && { bearer: incoming.bearer, keys: [{ keyId: incoming.keyId, secret: incoming.secret }] }),
  },
})

const change = command({
  name: 'partner change',
  summary: 'change a lending partner; what is not given stays, and so does what borrowers were shown',
  usage: '<sender> [--name <text>] [--url <url>] [--product <id>]… [--set <field=value>]…',
  options: fieldOptions,
  async run({ args, options, env }: Call<typeof fieldOptions>) {
    const { sender, partnerId } = await named(env, only(args, 'the sender of the partner'))
    const request: Static<typeof PartnerChange> = parse(PartnerChange, changeFrom(options))
    if (Object.keys(request).length === 0) throw new UsageError('say what to change: --name, --url, --product or --set')
    await act(env, (ctx) => changePartner(ctx, null, partnerId, request))
    const data = await named(env, sender)
    return { text: described(data), data }
  },
})

const rotateOptions = {
  direction: {
    type: 'string',
    value: credentialDirections.join('|'),
    about: 'outgoing: what the platform presents to the partner; incoming: what the partner presents to the platform',
  },
  'overlap-hours': {
    type: 'string',
    value: 'hours',
    about: 'how long both are good (default: 24); 0 for one that leaked',
  },
  bearer: { type: 'boolean', about: 'replace the bearer too, and not the signing key alone' },
  credential: {
    type: 'string',
    value: 'file',
    about: 'what the other side has made, as JSON {keyId, secret, bearer?}; without it it is made here',
  },
} as const

const rotate = command({
  name: 'partner rotate',
  summary: 'replace a credential of a lending partner, with an overlap; the new one is printed once',
  usage: '<sender> --direction outgoing|incoming [--overlap-hours <hours>] [--bearer] [--credential <file>]',
  options: rotateOptions,
  async run({ args, options, env }: Call<typeof rotateOptions>) {
    const { sender, partnerId } = await named(env, only(args, 'the sender of the partner'))
    const direction = credentialDirections.find((one) => one === required(options.direction, 'direction'))
    if (!direction) throw new UsageError(`--direction must be ${credentialDirections.join(' or ')}`)
    const request = parse(RotateRequest, {
      ...{ direction, overlapHours: hoursIn(options['overlap-hours']), withBearer: options.bearer === true },
      ...(options.credential !== undefined && { given: jsonIn(options.credential) }),
    })
    const made = await act(env, (ctx) => rotateCredential(ctx, null, partnerId, request))
    const data = madeWire(await named(env, sender), made)
    const when = made.outgoing
      ? `We present it from ${made.outgoing.from}: give it to the partner before.`
      : `It is good now; the one before ${request.overlapHours > 0 ? `is good for ${request.overlapHours} more hours` : 'is not any more'}.`
    return { text: `${asText(data.outgoing ?? data.incoming)}\n\nThis is shown once. ${when}`, data }
  },
})

function hoursIn(text = '24'): number {
  if (!/^\d{1,3}$/.test(text)) throw new UsageError(`--overlap-hours must be a number of hours, not "${text}"`)
  return Number(text)
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new UsageError(`--credential ${path} must be a file with JSON {keyId, secret, bearer?}`)
  }
}

const offOptions = {
  reason: { type: 'string', value: 'text', about: 'why, in ten characters or more; it is kept and shown' },
} as const

const off = command({
  name: 'partner switch-off',
  summary: 'ask a lending partner for nothing new, for all tenants; what was chosen goes on',
  usage: '<sender> --reason <text>',
  options: offOptions,
  async run({ args, options, env }: Call<typeof offOptions>) {
    const reason = required(options.reason, 'reason')
    if (reason.trim().length < 10) throw new UsageError('--reason must say why in ten characters or more')
    const partner = await named(env, only(args, 'the sender of the partner'))
    const lender = { ...lenderNameOf(partner), tenantId: null }
    const effect = await act(env, async ({ tx, at }) => {
      const expected = await countEffect(tx, lender, null, at)
      await switchOff({ tx, at }, null, lender, { reason, expected })
      return expected
    })
    const text = `${partner.sender} is switched off: ${effect.searching} journeys waited for its answer, ${effect.offered} might have chosen its offer; ${effect.chosen} applications and ${effect.loans} loans go on.`
    return { text, data: { sender: partner.sender, effect } }
  },
})

const on = command({
  name: 'partner switch-on',
  summary: 'ask a lending partner for offers, or ask it again',
  usage: '<sender>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const partner = await named(env, only(args, 'the sender of the partner'))
    await act(env, ({ tx, at }) => switchOn({ tx, at }, null, { ...lenderNameOf(partner), tenantId: null }))
    return { text: `${partner.sender} is switched on.`, data: { sender: partner.sender } }
  },
})

export const partner: Group = {
  name: 'partner',
  summary: 'lending partners outside the network: list, show, add, change, rotate, switch-off, switch-on',
  commands: [list, show, add, change, rotate, off, on],
}
