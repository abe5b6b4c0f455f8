// `lendloom complaints …`: complaints of borrowers with their threads, and what officers do with them in the console.
import { Readable } from 'node:stream'
import { complaintCategories, complaintOutcomes } from '#contract/console/complaint-lists.ts'
import type { OfficerLine } from '#contract/console/complaint-report.ts'
import type { ComplaintDetail } from '#contract/console/complaints.ts'
import type { Colleague } from '#contract/console/staff.ts'
import { languages } from '#contract/language.ts'
import {
  CannotRun,
  type Command,
  type CommandCall,
  command,
  type Group,
  type Options,
  only,
  required,
  table,
} from './command.ts'
import { complaintIdOf, complaintRoute, exportOne, file, list, report, show } from './complaints-files.ts'
import { asking, type ConsoleCaller, consoleOf, everyItem, type Input } from './console/ask.ts'
import { wordIn } from './console/words.ts'

/** A command that does one act on a complaint, on the version that is there now. */
const acting = <const O extends Options>({ part, usage = '', input, ...rest }: ActCommand<O>) =>
  command<O>({
    ...rest,
    usage: `<number> ${usage}`.trim(),
    async run(call) {
      const ask = consoleOf(call.env)
      const { params, body } = (await input?.(call, ask)) ?? {}
      const complaintId = await complaintIdOf(ask, call.args)
      const { version } = await ask<ComplaintDetail>(`GET ${complaintRoute}`, { params: { complaintId } })
      const data = await ask<ComplaintDetail>(`POST ${complaintRoute}/${part}`, {
        params: { complaintId, ...params },
        body: { ...(part !== 'note' && { version }), ...body },
      })
      return { text: `${data.number}  ${data.status}`, data }
    },
  })

interface ActCommand<O extends Options> extends Pick<Command<O>, 'name' | 'summary' | 'options'> {
  /** Of the route, behind the complaint. */
  part: string
  /** What follows the number. */
  usage?: string
  input?(call: CommandCall<O>, ask: ConsoleCaller): Input | Promise<Input>
}

const textOption = { type: 'string', value: 'text', about: 'what is written; - reads it from the input' } as const
const category = { type: 'string', value: complaintCategories.join('|'), about: 'what it is about' } as const
const outcome = { type: 'string', value: complaintOutcomes.join('|'), about: 'how it was decided' } as const

async function textFrom(given: string | undefined): Promise<string> {
  const text = required(given, 'text')
  if (text !== '-') return text
  return Buffer.concat(await Readable.from(process.stdin).toArray()).toString('utf8')
}

const outcomeFrom = (given: string | undefined) => wordIn(complaintOutcomes, given, 'outcome')

const answer = acting({
  name: 'complaints answer',
  summary: 'answer the borrower, by e-mail and on the page; or ask something',
  usage: '--text <text> [--ask]',
  options: { text: textOption, ask: { type: 'boolean', about: 'it is the borrower’s turn then' } },
  part: 'answer',
  input: async ({ options }) => ({
    body: { kind: options.ask ? 'QUESTION' : 'WORDS', text: await textFrom(options.text) },
  }),
})

const resolve = acting({
  name: 'complaints resolve',
  summary: 'tell the borrower how it is settled; they may object',
  usage: '--text <text> --outcome <outcome>',
  options: { text: textOption, outcome },
  part: 'answer',
  async input({ options }) {
    const decided = outcomeFrom(required(options.outcome, 'outcome'))
    return { body: { kind: 'RESOLUTION', outcome: decided, text: await textFrom(options.text) } }
  },
})

const note = acting({
  name: 'complaints note',
  summary: 'note something that the borrower never sees',
  usage: '--text <text>',
  options: { text: textOption },
  part: 'note',
  input: async ({ options }) => ({ body: { text: await textFrom(options.text) } }),
})

const assign = acting({
  name: 'complaints assign',
  summary: 'give it to a person of the platform',
  usage: '[--to <email>]',
  options: { to: { type: 'string', value: 'email', about: 'who works on it; unassigned without it' } },
  part: 'assign',
  async input({ options: { to } }, ask) {
    if (to === undefined) return { body: { assigneeId: null } }
    const people = await everyItem<Colleague>(ask, 'GET /people')
    const person = people.find(({ email }) => email === to.trim().toLowerCase())
    if (!person) throw new CannotRun(`nobody signs in as ${to}`)
    return { body: { assigneeId: person.personId } }
  },
})

const escalate = acting({
  name: 'complaints escalate',
  summary: 'take it to the nodal officer',
  options: {},
  part: 'escalate',
})

const close = acting({
  name: 'complaints close',
  summary: 'end it; the borrower is told',
  usage: '[--outcome <outcome>]',
  options: { outcome: { ...outcome, about: 'how it was decided; needed where it was not resolved' } },
  part: 'close',
  input: ({ options }) => ({ body: { outcome: outcomeFrom(options.outcome) } }),
})

const reopen = acting({
  name: 'complaints reopen',
  summary: 'open it again; its times begin anew',
  options: {},
  part: 'reopen',
})

const merge = acting({
  name: 'complaints merge',
  summary: 'let it go on in another one of the same borrower',
  usage: '--into <number>',
  options: { into: { type: 'string', value: 'number', about: 'the one that goes on' } },
  part: 'merge',
  input: ({ options }) => ({ body: { into: required(options.into, 'into') } }),
})

const seen = acting({
  name: 'complaints seen',
  summary: 'say that what the borrower wrote last was read, and needs no answer',
  options: {},
  part: 'seen',
})

const categorize = acting({
  name: 'complaints category',
  summary: 'say what it is about; who answers it may change',
  usage: '--to <CATEGORY>',
  options: { to: category },
  part: 'category',
  input: ({ options }) => ({ body: { category: required(options.to, 'to').toUpperCase() } }),
})

const forward = acting({
  name: 'complaints forward',
  summary: 'take it to the lender',
  usage: '--text <text>',
  options: { text: textOption },
  part: 'forward',
  input: async ({ options }) => ({ body: { text: await textFrom(options.text) } }),
})

const match = acting({
  name: 'complaints match',
  summary: 'say whose it is, of one that came by mail and fitted nobody',
  usage: '--journey <journeyId>',
  options: { journey: { type: 'string', value: 'journeyId', about: 'whose complaint it is' } },
  part: 'match',
  input: ({ options }) => ({ body: { journeyId: required(options.journey, 'journey') } }),
})

const settle = acting({
  name: 'complaints settle',
  summary: 'say whether a mail from another address is the borrower’s',
  usage: '--entry <entryId> [--dismiss]',
  options: {
    entry: { type: 'string', value: 'entryId', about: 'the mail, as complaints show has it' },
    dismiss: { type: 'boolean', about: 'it is not the borrower’s' },
  },
  part: 'entries/{entryId}/settle',
  input: ({ options }) => ({
    params: { entryId: required(options.entry, 'entry') },
    body: { accept: !options.dismiss },
  }),
})

const openOptions = {
  text: textOption,
  category,
  journey: { type: 'string', value: 'journeyId', about: 'of whom it is; without it an officer matches it later' },
  language: { type: 'string', value: languages.join('|'), about: 'the language of the answers (default: en)' },
  name: { type: 'string', about: 'who complains' },
  email: { type: 'string', about: 'where answers go' },
  mobile: { type: 'string', about: 'who is called back' },
} as const

const open = asking({
  name: 'complaints open',
  summary: 'write down a complaint that a borrower makes on the telephone',
  usage:
    '--category <CATEGORY> --text <text> [--journey <journeyId>] [--name <name>] [--email <email>] [--mobile <mobile>]',
  options: openOptions,
  route: 'POST /complaints',
  async input({ options }) {
    const { journey, language = 'en', name, email, mobile } = options
    const about = required(options.category, 'category').toUpperCase()
    const words = await textFrom(options.text)
    return { body: { journeyId: journey, language, name, email, mobile, category: about, text: words } }
  },
  text: ({ number }: ComplaintDetail) => `Its number is ${number}.`,
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

export const complaints: Group = {
  name: 'complaints',
  summary:
    'complaints of borrowers: list, show, open, answer, note, assign, escalate, resolve, close, merge, export, report',
  commands: [
    ...[list, show, answer, note, assign, escalate, resolve, close, reopen, merge, exportOne, report],
    ...[open, seen, categorize, forward, match, settle, file, officers, nameOfficer],
  ],
}
