// Commands about complaints that ask the console's routes: whose one is, where it belongs, its files, and who answers.

import { writeFileSync } from 'node:fs'
import { complaintCategories } from '#contract/console/complaint-lists.ts'
import type { OfficerLine } from '#contract/console/complaint-report.ts'
import type { ComplaintDetail } from '#contract/console/complaints.ts'
import { languages } from '#contract/language.ts'
import { type Call, command, type Options, only, required, table } from './command.ts'
import { placeOf } from './complaints-files.ts'
import { type Ask, asking, withConsole } from './console/ask.ts'
import { withDatabase } from './database.ts'

const one = '/complaints/{complaintId}'

/** A complaint by its number, as it stands. */
async function detailOf(call: Pick<Call<Options>, 'args' | 'env'>, ask: Ask): Promise<ComplaintDetail> {
  const { complaintId } = await withDatabase('platform', call.env, (db) =>
    placeOf(db, only(call.args, 'the number of the complaint')),
  )
  return ask<ComplaintDetail>(`GET ${one}`, { params: { complaintId } })
}

/** One act on a complaint, by the route of the console, on the version that is there now. */
async function acted(
  call: Pick<Call<Options>, 'args' | 'env'>,
  part: string,
  { params = {}, body }: { params?: Record<string, string>; body: Record<string, unknown> },
): Promise<{ text: string; data: ComplaintDetail }> {
  return withConsole(call.env, async (ask) => {
    const { complaintId, version } = await detailOf(call, ask)
    const data = await ask<ComplaintDetail>(`POST ${one}/${part}`, {
      params: { complaintId, ...params },
      body: { version, ...body },
    })
    return { text: `${data.number}  ${data.status}`, data }
  })
}

const text = { type: 'string', about: 'what is written' } as const
const category = {
  type: 'string',
  value: complaintCategories.join('|'),
  about: 'what it is about',
} as const

const openOptions = {
  text,
  category,
  journey: { type: 'string', value: 'journeyId', about: 'of whom it is; without it an officer matches it later' },
  language: { type: 'string', value: languages.join('|'), about: 'the language of the answers (default: en)' },
  name: { type: 'string', about: 'who complains' },
  email: { type: 'string', about: 'where answers go' },
  mobile: { type: 'string', about: 'who is called back' },
} as const

const open = asking({
  name: 'complaints open',
  summary: 'write down a complaint for somebody on the telephone',
  usage:
    '--category <CATEGORY> --text <text> [--journey <journeyId>] [--name <name>] [--email <email>] [--mobile <mobile>]',
  options: openOptions,
  route: 'POST /complaints',
  input: ({ options }) => {
    const { journey, language = 'en', name, email, mobile } = options
    const about = required(options.category, 'category').toUpperCase()
    const words = required(options.text, 'text')
    return { body: { journeyId: journey, language, name, email, mobile, category: about, text: words } }
  },
  text: ({ number }: ComplaintDetail) => `Its number is ${number}.`,
})

const categoryOptions = { to: category } as const
const categorize = command({
  name: 'complaints category',
  summary: 'say what it is about; who answers it may change',
  usage: '<number> --to <CATEGORY>',
  options: categoryOptions,
  run: (call: Call<typeof categoryOptions>) =>
    acted(call, 'category', { body: { category: required(call.options.to, 'to').toUpperCase() } }),
})

const forwardOptions = { text } as const
const forward = command({
  name: 'complaints forward',
  summary: 'take it to the lender',
  usage: '<number> --text <text>',
  options: forwardOptions,
  run: (call: Call<typeof forwardOptions>) =>
    acted(call, 'forward', { body: { text: required(call.options.text, 'text') } }),
})

const matchOptions = { journey: { type: 'string', value: 'journeyId', about: 'whose complaint it is' } } as const
const match = command({
  name: 'complaints match',
  summary: 'say whose it is, of one that came by mail and fitted nobody',
  usage: '<number> --journey <journeyId>',
  options: matchOptions,
  run: (call: Call<typeof matchOptions>) =>
    acted(call, 'match', { body: { journeyId: required(call.options.journey, 'journey') } }),
})

const settleOptions = {
  entry: { type: 'string', value: 'entryId', about: 'the mail, as complaints show has it' },
  dismiss: { type: 'boolean', about: 'it is not the borrower’s' },
} as const
const settle = command({
  name: 'complaints settle',
  summary: 'say whether a mail from another address is the borrower’s',
  usage: '<number> --entry <entryId> [--dismiss]',
  options: settleOptions,
  run: (call: Call<typeof settleOptions>) =>
    acted(call, 'entries/{entryId}/settle', {
      params: { entryId: required(call.options.entry, 'entry') },
      body: { accept: !call.options.dismiss },
    }),
})

const officers = asking({
  name: 'complaints officers',
  summary: 'show who answers complaints, for the platform and for each lender',
  usage: '',
  options: {},
  route: 'GET /complaint-officers',
  input: () => ({}),
  text: ({ items }: { items: OfficerLine[] }) => officerTable(items),
})

const nameOptions = {
  level: { type: 'string', value: 'OFFICER|NODAL', about: 'the first officer, or the one above (default: OFFICER)' },
  name: { type: 'string', about: 'as the borrower reads it' },
  email: { type: 'string', about: 'where complaints go' },
  phone: { type: 'string', about: 'as the borrower reads it' },
} as const
const nameOfficer = asking({
  name: 'complaints name-officer',
  summary: 'say who answers complaints: of PLATFORM, or of a lender by its id',
  usage: '<party> --name <name> --email <email> --phone <phone> [--level <level>]',
  options: nameOptions,
  route: 'PUT /complaint-officers',
  input: ({ args, options: { level = 'OFFICER', name, email, phone } }) => ({
    body: {
      party: only(args, 'PLATFORM or the id of a lender'),
      level: level.toUpperCase(),
      name: required(name, 'name'),
      email: required(email, 'email'),
      phone: required(phone, 'phone'),
    },
  }),
  text: ({ items }: { items: OfficerLine[] }) => officerTable(items),
})

const officerTable = (items: OfficerLine[]): string =>
  table(
    ['OF', 'LEVEL', 'NAME', 'E-MAIL', 'TELEPHONE'],
    items.map(({ partyName, level, name, email, phone }) => [partyName, level, name, email, phone]),
  )

const fileOptions = {
  entry: { type: 'string', value: 'entryId', about: 'the words that it came with, as complaints show has them' },
  index: { type: 'string', value: 'number', about: 'which of their files, from 0 (default: 0)' },
  out: { type: 'string', value: 'path', about: 'where it is written' },
} as const
const file = command({
  name: 'complaints file',
  summary: 'write a file that came with words; the audit log says so',
  usage: '<number> --entry <entryId> [--index <number>] --out <path>',
  options: fileOptions,
  async run(call: Call<typeof fileOptions>) {
    const { entry, index = '0', out } = call.options
    const path = required(out, 'out')
    const bytes = await withConsole(call.env, async (ask) => {
      const { complaintId } = await detailOf(call, ask)
      const params = { complaintId, entryId: required(entry, 'entry'), index }
      return ask<{ data: number[] }>(`GET ${one}/entries/{entryId}/files/{index}`, { params })
    })
    writeFileSync(path, Buffer.from(bytes.data), { mode: 0o600 })
    return { text: `wrote ${path}`, data: { path, bytes: bytes.data.length } }
  },
})

const seen = command({
  name: 'complaints seen',
  summary: 'say that what the borrower wrote last was read, and needs no answer',
  usage: '<number>',
  options: {},
  run: (call: Call<Record<never, never>>) => acted(call, 'seen', { body: {} }),
})

export const complaintsByConsole = [open, seen, categorize, forward, match, settle, file, officers, nameOfficer]
