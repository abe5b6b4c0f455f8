// `lendloom privacy …`: a borrower's data: what is stored, export, erasure by two people, legal holds, nominees.

import { retentionPeriods } from '@lendloom/platform/operations/installation'
import { minRevealReasonLength } from '@lendloom/wire/console/journey-lists'
import type { BorrowerExport, BorrowerPrivacy, Erasures, FoundBorrowers } from '@lendloom/wire/console/privacy'
import { erasureStates } from '@lendloom/wire/console/privacy-lists'
import { type CommandCall, command, type Group, requireArgument, requireOption, table, UsageError } from './command.ts'
import { consoleCommand, consoleOf } from './console/ask.ts'
import { fieldLines, idOf, pageOptions, resultTable, wordIn } from './console/words.ts'
import { intoNewFile } from './out-file.ts'

/** `place` is `journeys` or `borrowers`. */
const path = '/{place}/{id}/privacy'
const reason = {
  type: 'string',
  value: 'text',
  about: `reason, at least ${minRevealReasonLength} characters, without personal data`,
} as const
const borrower = {
  type: 'string',
  value: 'borrowerId',
  about: 'the borrower, instead of a journey: `privacy find` prints the id',
} as const
const borrowerOptions = { borrower } as const
const reasonOptions = { reason, borrower } as const
const whose = '[<journeyId> | --borrower <borrowerId>]'

function paramsOf({ args, options }: CommandCall<typeof borrowerOptions>): { place: string; id: string } {
  if (options.borrower === undefined) return { place: 'journeys', id: idOf(args, 'the journey') }
  if (args.length > 0) throw new UsageError('name a journey or --borrower, not both')
  return { place: 'borrowers', id: idOf([options.borrower], 'the borrower') }
}

function textOf({ borrowerId, isIdentified, journeys, hold, nominee, erasures }: BorrowerPrivacy): string {
  const facts = fieldLines({
    borrower: borrowerId,
    identity: isIdentified ? 'stored' : 'erased',
    'legal hold': hold ? `since ${hold.placedAt}: ${hold.reason}` : 'none',
    nominee: nominee ? `recorded ${nominee.namedAt}` : 'none',
  })
  return [
    facts,
    resultTable(
      journeys,
      [
        { head: 'JOURNEY', of: ({ journeyId }) => journeyId },
        { head: 'PRODUCT', of: ({ product }) => product },
        { head: 'STATUS', of: ({ status }) => status },
        {
          head: 'DATA',
          of: ({ erasedAt, obstacle }) => (erasedAt ? `erased ${erasedAt}` : (obstacle ?? 'can be erased')),
        },
      ],
      'The borrower has no journey.',
    ),
    resultTable(
      erasures,
      [
        { head: 'REQUEST', of: ({ erasureId }) => erasureId },
        { head: 'STATE', of: ({ state }) => state },
        { head: 'AT', of: ({ requestedAt }) => requestedAt },
        { head: 'REASON', of: ({ reason }) => reason },
      ],
      'No erasure was requested.',
    ),
  ].join('\n\n')
}

const show = consoleCommand({
  name: 'privacy show',
  summary: 'show what is stored of a borrower, and what may be erased',
  usage: whose,
  options: borrowerOptions,
  route: `GET ${path}`,
  input: (call: CommandCall<typeof borrowerOptions>) => ({ params: paramsOf(call) }),
  text: textOf,
})

const find = consoleCommand({
  name: 'privacy find',
  summary: "find a borrower by the app's identifier, our identifier or the mobile number, also without a journey",
  usage: '<identifier>',
  options: {},
  route: 'GET /privacy/borrowers',
  input: ({ args }) => ({ query: { q: requireArgument(args, 'the identifier') } }),
  text({ items }: FoundBorrowers) {
    return resultTable(
      items,
      [
        { head: 'BORROWER', of: (each) => each.borrowerId },
        { head: 'TENANT', of: (each) => each.tenantId },
        { head: 'CREATED', of: (each) => each.createdAt },
        { head: 'JOURNEYS', of: (each) => each.journeys },
      ],
      'There is no such borrower.',
    )
  },
})

/** Creates a command for an act with a reason on a borrower. */
const actCommand = (name: string, part: string, summary: string) =>
  consoleCommand({
    name: `privacy ${name}`,
    summary,
    usage: `${whose} --reason <text>`,
    options: reasonOptions,
    route: `POST ${path}/${part}`,
    input: (call: CommandCall<typeof reasonOptions>) => ({
      params: paramsOf(call),
      body: { reason: requireOption(call.options.reason, 'reason') },
    }),
    text: textOf,
  })

const exportOptions = {
  ...reasonOptions,
  out: { type: 'string', value: 'file', about: 'new file for the export, readable by you alone' },
} as const

const exportCommand = command({
  name: 'privacy export',
  summary: "export a borrower's data, unmasked; the audit log records the reason",
  usage: `${whose} --reason <text> --out <file>`,
  options: exportOptions,
  async run(call: CommandCall<typeof exportOptions>) {
    const { options, env } = call
    const text = requireOption(options.reason, 'reason')
    const file = requireOption(options.out, 'out')
    const request = { params: paramsOf(call), body: { reason: text } }
    const data = await intoNewFile(
      file,
      () => consoleOf(env)<BorrowerExport>(`POST ${path}/export`, request),
      (exported) => `${JSON.stringify(exported, null, 2)}\n`,
    )
    return { text: `${file}: ${data.journeys.length} applications`, data: { file, journeys: data.journeys.length } }
  },
})

const nomineeOptions = {
  borrower,
  name: { type: 'string', value: 'name', about: 'name of the nominee' },
  relation: { type: 'string', value: 'relation', about: 'relation to the borrower, such as sister' },
  contact: { type: 'string', value: 'contact', about: 'e-mail address or telephone number' },
} as const

const nominee = consoleCommand({
  name: 'privacy nominee',
  summary: "record the borrower's nominee, in place of an earlier one",
  usage: `${whose} --name <name> --relation <relation> --contact <contact>`,
  options: nomineeOptions,
  route: `POST ${path}/nominee`,
  input: (call: CommandCall<typeof nomineeOptions>) => ({
    params: paramsOf(call),
    body: {
      name: requireOption(call.options.name, 'name'),
      relation: requireOption(call.options.relation, 'relation'),
      contact: requireOption(call.options.contact, 'contact'),
    },
  }),
  text: textOf,
})

const listOptions = {
  state: { type: 'string', value: erasureStates.join('|'), about: 'only requests in this state' },
  ...pageOptions,
} as const

const list = consoleCommand({
  name: 'privacy requests',
  summary: 'list requests for erasure, newest first',
  usage: '[--state <state>] [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: 'GET /privacy/erasures',
  input: ({ options: { state, after, limit } }: CommandCall<typeof listOptions>) => ({
    query: { state: wordIn(erasureStates, state, 'state'), after, limit },
  }),
  text({ items, next }: Erasures) {
    return resultTable(
      items,
      [
        { head: 'REQUEST', of: (item) => item.erasureId },
        { head: 'STATE', of: (item) => item.state },
        { head: 'AT', of: (item) => item.requestedAt },
        { head: 'JOURNEY', of: (item) => item.journeyId },
        { head: 'REASON', of: (item) => item.reason },
      ],
      'No erasure was requested.',
      next,
    )
  },
})

const periods = command({
  name: 'privacy periods',
  summary: 'list how long personal data is kept, with the source of each period',
  usage: '',
  options: {},
  async run() {
    return {
      text: table(retentionPeriods, [
        { head: 'RECORDS', of: ({ records }) => records },
        { head: 'KEPT', of: ({ months, from }) => `${months} months from ${from}` },
        {
          head: 'ON REQUEST',
          of: ({ minimumMonths }) => (minimumMonths === 0 ? 'at once' : `${minimumMonths} months`),
        },
        { head: 'SOURCE', of: ({ source }) => source },
      ]),
      data: retentionPeriods,
    }
  },
})

export const privacy: Group = {
  name: 'privacy',
  summary: 'borrowers’ data: show, export, erase, legal hold, nominee, periods',
  commands: [
    find,
    show,
    exportCommand,
    actCommand('erase', 'erasure', "record a borrower's request for erasure; a person approves it in the console"),
    list,
    actCommand('hold', 'hold', 'place a legal hold, so that nothing of the borrower is erased'),
    actCommand('release', 'release', 'release the legal hold'),
    nominee,
    periods,
  ],
}
