// `lendloom partner …`: lending partners outside the network: adds and changes them, rotates credentials, switches them off and on, as in the console.
import { readFileSync, writeFileSync } from 'node:fs'
import type { LenderEffect } from '#contract/console/lenders.ts'
import type { LendingPartner, LendingPartners, NewCredentials } from '#contract/console/lending-partners.ts'
import { credentialDirections } from '#contract/console/lists.ts'
import {
  CannotRun,
  type CommandCall,
  command,
  type Group,
  requireArgument,
  requireOption,
  table,
  UsageError,
} from './command.ts'
import { type ConsoleCaller, consoleCommand, consoleOf } from './console/ask.ts'
import { numberFrom, resultTable } from './console/words.ts'
import { changeFrom, credentialsIn, fieldOptions } from './partner/fields.ts'

const path = '/lending-partners'
const one = `${path}/{partnerId}`

/** The partner of a sender or an id. */
async function named(ask: ConsoleCaller, word: string): Promise<LendingPartner> {
  const { items } = await ask<LendingPartners>(`GET ${path}`)
  const found = items.find(
    ({ sender, partnerId }) => sender.toLowerCase() === word.toLowerCase() || partnerId === word.toLowerCase(),
  )
  if (!found) throw new CannotRun(`lending partner ${word} does not exist: see lendloom partner list`)
  return found
}

/** The partner named by a command's argument, with the parameters of its routes. */
async function partnerOf(ask: ConsoleCaller, args: string[]) {
  const { sender, partnerId } = await named(ask, requireArgument(args, 'the sender of the partner'))
  return { sender, params: { partnerId } }
}

const state = ({ isOff }: LendingPartner): string => (isOff ? 'off' : 'on')

const list = consoleCommand({
  name: 'partner list',
  summary: 'list lending partners, whether they are on, and their pending events',
  usage: '',
  options: {},
  route: `GET ${path}`,
  input: () => ({}),
  text({ items }: LendingPartners) {
    const cells = items.map((partner) => [
      ...[partner.sender, partner.name, partner.url, partner.products.join(' '), state(partner)],
      ...[String(partner.waitingEvents), String(partner.deadEvents), partner.lastEventAt ?? 'none in a day'],
    ])
    const head = ['SENDER', 'NAME', 'ADDRESS', 'PRODUCTS', 'SWITCH', 'WAITING', 'GIVEN UP', 'LAST EVENT']
    return resultTable(head, cells, 'There is none: lendloom partner add makes one.')
  },
})

function described(partner: LendingPartner): string {
  const rows = [
    ...[
      ['sender', partner.sender],
      ['we are', partner.ourSender],
      ['name', partner.name],
      ['address', partner.url],
    ],
    ...[
      ['id', partner.partnerId],
      ['products', partner.products.join(' ')],
    ],
    ['switch', partner.isOff ? `off: ${partner.offReason ?? ''}` : 'on'],
    ...Object.entries(partner.rules).map(([field, value]) => [field, String(value)]),
    ...Object.entries(partner.contact).map(([field, value]) => [field, value]),
    ...partner.outgoing.map(({ keyId, from, isUsed }) => ['we present', `${keyId} ${isUsed ? 'now' : `from ${from}`}`]),
    ...partner.incoming.map(({ keyId, until }) => ['it presents', `${keyId}${until ? ` until ${until}` : ''}`]),
    ...[
      ['events waiting', String(partner.waitingEvents)],
      ['given up', String(partner.deadEvents)],
    ],
    ['last event', partner.lastEventAt ?? 'none in a day'],
  ]
  return table(['FIELD', 'VALUE'], rows)
}

const show = command({
  name: 'partner show',
  summary: 'show a lending partner: its limits, contacts and the names of its credentials',
  usage: '<sender>',
  options: {},
  async run({ args, env }: CommandCall<Record<string, never>>) {
    const data = await named(consoleOf(env), requireArgument(args, 'the sender of the partner'))
    return { text: described(data), data }
  },
})

const addOptions = {
  ...fieldOptions,
  'our-sender': { type: 'string', value: 'text', about: 'the platform’s sender name (default: LENDLOOM)' },
  credentials: {
    type: 'string',
    value: 'file',
    about: 'file of existing credentials, in the form of exchange conform (default: generated)',
  },
  out: {
    type: 'string',
    value: 'file',
    about: 'write the credentials to this file, readable by its owner only, instead of printing them',
  },
} as const

const add = command({
  name: 'partner add',
  summary: 'add a lending partner, switched off; its credentials are printed once',
  usage:
    '<sender> --name <text> --url <url> [--credentials <file>] [--product <id>]… [--set <field=value>]… [--out <file>]',
  options: addOptions,
  async run({ args, options, env }: CommandCall<typeof addOptions>) {
    const sender = requireArgument(args, 'the sender of the partner: what it calls itself in its events')
    const known = options.credentials === undefined ? null : credentialsIn(options.credentials)
    if (known && known.webhook.sender !== sender)
      throw new UsageError(`the credentials belong to ${known.webhook.sender}, not to ${sender}`)
    const [firstKey] = known?.webhook.keys ?? []
    const ourSender = options['our-sender'] ?? known?.sender
    const body = {
      ...changeFrom(options),
      ...{ sender, name: requireOption(options.name, 'name'), url: requireOption(options.url, 'url') },
      ...(ourSender !== undefined && { ourSender }),
      ...(known && { outgoing: { bearer: known.bearer, keyId: known.keyId, secret: known.secret } }),
      ...(known && firstKey && { incoming: { bearer: known.webhook.bearer, ...firstKey } }),
    }
    const made = await consoleOf(env)<NewCredentials>(`POST ${path}`, { body })
    const { partner } = made
    const credentials = fileOf(made)
    const next = `It is switched off: lendloom partner switch-on ${sender} begins.`
    if (options.out !== undefined) writeFileSync(options.out, `${asText(credentials)}\n`, { mode: 0o600 })
    const isShown = options.out === undefined && known === null
    const where = isShown
      ? `${asText(credentials)}\n\nThese are shown once.`
      : options.out && `Its credentials are in ${options.out}.`
    const text = [described(partner), where, next].filter(Boolean).join('\n\n')
    return { text, data: isShown ? { ...made, credentials } : { partner } }
  },
})

const asText = (value: unknown): string => JSON.stringify(value, null, 2)

/** In the form of both sides and of `exchange conform`. */
const fileOf = ({ partner, outgoing, incoming }: NewCredentials) => ({
  sender: partner.ourSender,
  ...(outgoing && { bearer: outgoing.bearer, keyId: outgoing.keyId, secret: outgoing.secret }),
  webhook: {
    sender: partner.sender,
    ...(incoming && { bearer: incoming.bearer, keys: [{ keyId: incoming.keyId, secret: incoming.secret }] }),
  },
})

const change = command({
  name: 'partner change',
  summary: 'change a lending partner; other fields, and offers already shown, keep their values',
  usage: '<sender> [--name <text>] [--url <url>] [--product <id>]… [--set <field=value>]…',
  options: fieldOptions,
  async run({ args, options, env }: CommandCall<typeof fieldOptions>) {
    const ask = consoleOf(env)
    const { params } = await partnerOf(ask, args)
    const body = changeFrom(options)
    if (Object.keys(body).length === 0)
      throw new UsageError('at least one of --name, --url, --product or --set is required')
    const data = await ask<LendingPartner>(`PATCH ${one}`, { params, body })
    return { text: described(data), data }
  },
})

const rotateOptions = {
  direction: {
    type: 'string',
    value: credentialDirections.join('|'),
    about: 'outgoing: presented by the platform; incoming: presented by the partner',
  },
  'overlap-hours': {
    type: 'string',
    value: 'hours',
    about: 'hours for which both are valid (default: 24); 0 for a leaked one',
  },
  bearer: { type: 'boolean', about: 'also replace the bearer' },
  credential: {
    type: 'string',
    value: 'file',
    about: 'file of the other side’s credential, JSON {keyId, secret, bearer?} (default: generated)',
  },
} as const

const rotate = command({
  name: 'partner rotate',
  summary: 'replace a credential of a lending partner with an overlap; the new one is printed once',
  usage: '<sender> --direction outgoing|incoming [--overlap-hours <hours>] [--bearer] [--credential <file>]',
  options: rotateOptions,
  async run({ args, options, env }: CommandCall<typeof rotateOptions>) {
    const ask = consoleOf(env)
    const { params } = await partnerOf(ask, args)
    const direction = credentialDirections.find((one) => one === requireOption(options.direction, 'direction'))
    if (!direction) throw new UsageError(`--direction must be ${credentialDirections.join(' or ')}`)
    const overlapHours = numberFrom(options['overlap-hours'] ?? '24', 'overlap-hours') ?? 24
    const given = options.credential === undefined ? undefined : jsonIn(options.credential)
    const body = { direction, overlapHours, withBearer: options.bearer === true, given }
    const data = await ask<NewCredentials>(`POST ${one}/rotate`, { params, body })
    const when = data.outgoing
      ? `We present it from ${data.outgoing.from}: give it to the partner before.`
      : `It is good now; the one before ${overlapHours > 0 ? `is good for ${overlapHours} more hours` : 'is not any more'}.`
    return { text: `${asText(data.outgoing ?? data.incoming)}\n\nThis is shown once. ${when}`, data }
  },
})

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new UsageError(`--credential ${path} must be a file with JSON {keyId, secret, bearer?}`)
  }
}

const offOptions = {
  reason: { type: 'string', value: 'text', about: 'reason, at least ten characters; it is stored and shown' },
} as const

const off = command({
  name: 'partner switch-off',
  summary: 'switch a lending partner off for all tenants: no new requests; chosen offers continue',
  usage: '<sender> --reason <text>',
  options: offOptions,
  async run({ args, options, env }: CommandCall<typeof offOptions>) {
    const reason = requireOption(options.reason, 'reason')
    const ask = consoleOf(env)
    const { sender, params } = await partnerOf(ask, args)
    const effect = await ask<LenderEffect>(`GET ${one}/effect`, { params })
    const { searching, offered, chosen, loans } = effect
    await ask(`POST ${one}/switch-off`, { params, body: { reason, searching, offered } })
    const text = `${sender} is switched off: ${searching} journeys waited for its answer, ${offered} might have chosen its offer; ${chosen} applications and ${loans} loans go on.`
    return { text, data: { sender, effect } }
  },
})

const on = command({
  name: 'partner switch-on',
  summary: 'switch a lending partner on',
  usage: '<sender>',
  options: {},
  async run({ args, env }: CommandCall<Record<string, never>>) {
    const ask = consoleOf(env)
    const { sender, params } = await partnerOf(ask, args)
    await ask(`POST ${one}/switch-on`, { params })
    return { text: `${sender} is switched on.`, data: { sender } }
  },
})

export const partner: Group = {
  name: 'partner',
  summary: 'lending partners outside the network: list, show, add, change, rotate, switch-off, switch-on',
  commands: [list, show, add, change, rotate, off, on],
}
