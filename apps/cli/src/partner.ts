// `lendloom partner …`: adds, changes and switches lending partners outside the network, and rotates their credentials.
import { readFileSync } from 'node:fs'
import type { LendingPartner, LendingPartners, NewCredentials } from '@lendloom/wire/console/lending-partners'
import { credentialDirections } from '@lendloom/wire/console/lists'
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
import { type ConsoleCaller, consoleOf } from './console/ask.ts'
import { operationsOf } from './console/commands.ts'
import { numberFrom } from './console/words.ts'
import { intoNewFile } from './out-file.ts'
import { changeFrom, credentialsIn, fieldOptions } from './partner/fields.ts'

const path = '/lending-partners'
const partnerRoute = `${path}/{partnerId}`

/** Finds a partner by its sender or its id. */
async function findPartner(ask: ConsoleCaller, word: string): Promise<LendingPartner> {
  const { items } = await ask<LendingPartners>(`GET ${path}`)
  const found = items.find(
    ({ sender, partnerId }) => sender.toLowerCase() === word.toLowerCase() || partnerId === word.toLowerCase(),
  )
  if (!found) throw new CannotRun(`lending partner ${word} does not exist: see lendloom partner list`)
  return found
}

/** The partner named by a command's argument, with the parameters of its routes. */
async function partnerOf(ask: ConsoleCaller, args: string[]) {
  const { sender, partnerId } = await findPartner(ask, requireArgument(args, 'the sender of the partner'))
  return { sender, params: { partnerId } }
}

function descriptionOf(partner: LendingPartner): string {
  const rows = [
    ['sender', partner.sender],
    ['our sender', partner.ourSender],
    ['name', partner.name],
    ['address', partner.url],
    ['id', partner.partnerId],
    ['products', partner.products.join(' ')],
    ['switch', partner.isOff ? `off: ${partner.offReason ?? ''}` : 'on'],
    ...Object.entries(partner.rules).map(([field, value]) => [field, String(value)]),
    ...Object.entries(partner.contact).map(([field, value]) => [field, value]),
    ...partner.outgoing.map(({ keyId, from, isUsed }) => [
      'our credential',
      `${keyId} ${isUsed ? 'now' : `from ${from}`}`,
    ]),
    ...partner.incoming.map(({ keyId, until }) => ['its credential', `${keyId}${until ? ` until ${until}` : ''}`]),
    ['events pending', String(partner.waitingEvents)],
    ['events failed', String(partner.deadEvents)],
    ['last event', partner.lastEventAt ?? 'none within a day'],
  ]
  return table(rows, [
    { head: 'FIELD', of: ([field]) => field },
    { head: 'VALUE', of: ([, value]) => value },
  ])
}

const show = command({
  name: 'partner show',
  summary: 'show a lending partner: its limits, contacts and the names of its credentials',
  usage: '<sender>',
  options: {},
  async run({ args, env }: CommandCall<Record<string, never>>) {
    const data = await findPartner(consoleOf(env), requireArgument(args, 'the sender of the partner'))
    return { text: descriptionOf(data), data }
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
    about: 'write the credentials to this new file, readable by its owner only, instead of printing them',
  },
} as const

const add = command({
  name: 'partner add',
  summary: 'add a lending partner, switched off; its credentials are printed once',
  usage:
    '<sender> --name <text> --url <url> [--credentials <file>] [--product <id>]… [--set <field=value>]… [--out <file>]',
  options: addOptions,
  async run({ args, options, env }: CommandCall<typeof addOptions>) {
    const sender = requireArgument(args, 'the sender of the partner: the sender name in its events')
    const existing = options.credentials === undefined ? null : credentialsIn(options.credentials)
    if (existing && existing.webhook.sender !== sender)
      throw new UsageError(`the credentials belong to ${existing.webhook.sender}, not to ${sender}`)
    const ourSender = options['our-sender'] ?? existing?.sender
    const body = {
      ...changeFrom(options),
      sender,
      name: requireOption(options.name, 'name'),
      url: requireOption(options.url, 'url'),
      ...(ourSender !== undefined && { ourSender }),
      ...(existing && { outgoing: { bearer: existing.bearer, keyId: existing.keyId, secret: existing.secret } }),
      ...(existing && {
        incoming: existing.webhook.keys.map((key) => ({ bearer: existing.webhook.bearer, ...key })),
      }),
    }
    const create = () => consoleOf(env)<NewCredentials>(`POST ${path}`, { body })
    const { out } = options
    const created = await (out === undefined
      ? create()
      : intoNewFile(out, create, (given) => `${asText(credentialsFile(given))}\n`))
    const { partner } = created
    const credentials = credentialsFile(created)
    const next = `The partner is switched off. To switch it on: lendloom partner switch-on ${sender}`
    const isShown = options.out === undefined && existing === null
    const where = isShown
      ? `${asText(credentials)}\n\nThese credentials are shown once.`
      : options.out && `Its credentials are in ${options.out}.`
    const text = [descriptionOf(partner), where, next].filter(Boolean).join('\n\n')
    return { text, data: isShown ? { ...created, credentials } : { partner } }
  },
})

const asText = (value: unknown): string => JSON.stringify(value, null, 2)

/** The credentials of both sides, as a file that both sides and `exchange conform` read. */
const credentialsFile = ({ partner, outgoing, incoming }: NewCredentials) => ({
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
    const data = await ask<LendingPartner>(`PATCH ${partnerRoute}`, { params, body })
    return { text: descriptionOf(data), data }
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
    about: 'hours for which the old credential stays valid (default: 24); 0 if it leaked',
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
  summary: 'replace a credential of a lending partner with an overlap; the new credential is printed once',
  usage: '<sender> --direction outgoing|incoming [--overlap-hours <hours>] [--bearer] [--credential <file>]',
  options: rotateOptions,
  async run({ args, options, env }: CommandCall<typeof rotateOptions>) {
    const ask = consoleOf(env)
    const { params } = await partnerOf(ask, args)
    const direction = credentialDirections.find((known) => known === requireOption(options.direction, 'direction'))
    if (!direction) throw new UsageError(`--direction must be ${credentialDirections.join(' or ')}`)
    const overlapHours = numberFrom(options['overlap-hours'] ?? '24', 'overlap-hours') ?? 24
    const given = options.credential === undefined ? undefined : jsonIn(options.credential)
    const body = { direction, overlapHours, withBearer: options.bearer === true, given }
    const data = await ask<NewCredentials>(`POST ${partnerRoute}/rotate`, { params, body })
    const validity = data.outgoing
      ? `The platform presents it from ${data.outgoing.from} on: give it to the partner before then.`
      : `It is valid now; the previous one ${overlapHours > 0 ? `stays valid for ${overlapHours} hours` : 'is no longer valid'}.`
    return { text: `${asText(data.outgoing ?? data.incoming)}\n\nThis credential is shown once. ${validity}`, data }
  },
})

/** Reads the credential that the other side has created. */
function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new UsageError(`--credential ${path} must be a file with JSON {keyId, secret, bearer?}`)
  }
}

export const partner: Group = {
  name: 'partner',
  summary: 'lending partners outside the network, and the events with them',
  commands: [...operationsOf('partner'), show, add, change, rotate],
}
