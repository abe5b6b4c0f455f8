// `lendloom privacy …`: a borrower's data: what is stored, export, erasure by two people, legal holds, nominees.
import { writeFileSync } from 'node:fs'
import { minRevealReasonLength } from '#contract/console/journey-lists.ts'
import type { BorrowerExport, BorrowerPrivacy, Erasures } from '#contract/console/privacy.ts'
import { erasureStates } from '#contract/console/privacy-lists.ts'
import { retentionPeriods } from '#platform/privacy/period.ts'
import { type CommandCall, command, type Group, requireOption, table } from './command.ts'
import { consoleCommand, consoleOf } from './console/ask.ts'
import { fieldLines, idOf, pageOptions, resultTable, wordIn } from './console/words.ts'

const path = '/journeys/{journeyId}/privacy'
const reason = {
  type: 'string',
  value: 'text',
  about: `reason, at least ${minRevealReasonLength} characters, without personal data`,
} as const
const reasonOptions = { reason } as const

const paramsOf = (args: string[]) => ({ journeyId: idOf(args, 'the journey') })

function textOf({ borrowerId, journeys, hold, nominee, erasures }: BorrowerPrivacy): string {
  const rows = journeys.map(({ journeyId, product, status, erasedAt, obstacle }) => [
    ...[journeyId, product, status, erasedAt ? `erased ${erasedAt}` : (obstacle ?? 'can be erased')],
  ])
  const facts = fieldLines({
    borrower: borrowerId,
    'legal hold': hold ? `since ${hold.placedAt}: ${hold.reason}` : 'none',
    nominee: nominee ? `recorded ${nominee.namedAt}` : 'none',
  })
  const requests = erasures.map(({ erasureId, state, requestedAt, reason }) => [erasureId, state, requestedAt, reason])
  return [
    facts,
    table(['JOURNEY', 'PRODUCT', 'STATUS', 'DATA'], rows),
    resultTable(['REQUEST', 'STATE', 'AT', 'REASON'], requests, 'No erasure was requested.'),
  ].join('\n\n')
}

const show = consoleCommand({
  name: 'privacy show',
  summary: 'show what is stored of the borrower of a journey, and what may be erased',
  usage: '<journeyId>',
  options: {},
  route: `GET ${path}`,
  input: ({ args }) => ({ params: paramsOf(args) }),
  text: textOf,
})

/** Creates a command for an act with a reason on the borrower of a journey. */
const actCommand = (name: string, part: string, summary: string) =>
  consoleCommand({
    ...{ name: `privacy ${name}`, summary, usage: '<journeyId> --reason <text>', options: reasonOptions },
    route: `POST ${path}/${part}`,
    input: ({ args, options }: CommandCall<typeof reasonOptions>) => ({
      params: paramsOf(args),
      body: { reason: requireOption(options.reason, 'reason') },
    }),
    text: textOf,
  })

const exportOptions = {
  reason,
  out: { type: 'string', value: 'file', about: 'new file for the export, readable by you alone' },
} as const

const exportCommand = command({
  name: 'privacy export',
  summary: "export a borrower's data, unmasked; the audit log records the reason",
  usage: '<journeyId> --reason <text> --out <file>',
  options: exportOptions,
  async run({ args, options, env }: CommandCall<typeof exportOptions>) {
    const [text, file] = [requireOption(options.reason, 'reason'), requireOption(options.out, 'out')]
    const request = { params: paramsOf(args), body: { reason: text } }
    const data = await consoleOf(env)<BorrowerExport>(`POST ${path}/export`, request)
    writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
    return { text: `${file}: ${data.journeys.length} applications`, data: { file, journeys: data.journeys.length } }
  },
})

const nomineeOptions = {
  name: { type: 'string', value: 'name', about: 'name of the nominee' },
  relation: { type: 'string', value: 'relation', about: 'relation to the borrower, such as sister' },
  contact: { type: 'string', value: 'contact', about: 'e-mail address or telephone number' },
} as const

const nominee = consoleCommand({
  name: 'privacy nominee',
  summary: "record the borrower's nominee, in place of an earlier one",
  usage: '<journeyId> --name <name> --relation <relation> --contact <contact>',
  options: nomineeOptions,
  route: `POST ${path}/nominee`,
  input: ({ args, options }: CommandCall<typeof nomineeOptions>) => ({
    params: paramsOf(args),
    body: {
      name: requireOption(options.name, 'name'),
      relation: requireOption(options.relation, 'relation'),
      contact: requireOption(options.contact, 'contact'),
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
    const rows = items.map((item) => [item.erasureId, item.state, item.requestedAt, item.journeyId ?? '', item.reason])
    return resultTable(['REQUEST', 'STATE', 'AT', 'JOURNEY', 'REASON'], rows, 'No erasure was requested.', next)
  },
})

const periods = command({
  name: 'privacy periods',
  summary: 'list how long personal data is kept, with the source of each period',
  usage: '',
  options: {},
  async run() {
    const rows = retentionPeriods.map(({ records, months, minimumMonths, from, source }) => [
      ...[
        records,
        `${months} months from ${from}`,
        minimumMonths === 0 ? 'at once' : `${minimumMonths} months`,
        source,
      ],
    ])
    return { text: table(['RECORDS', 'KEPT', 'ON REQUEST', 'SOURCE'], rows), data: retentionPeriods }
  },
})

export const privacy: Group = {
  name: 'privacy',
  summary: 'borrowers’ data: show, export, erase, legal hold, nominee, periods',
  commands: [
    ...[show, exportCommand],
    actCommand('erase', 'erasure', "record a borrower's request for erasure; a person approves it in the console"),
    list,
    actCommand('hold', 'hold', 'place a legal hold, so that nothing of the borrower is erased'),
    actCommand('release', 'release', 'release the legal hold'),
    ...[nominee, periods],
  ],
}
