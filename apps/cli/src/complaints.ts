// `lendloom complaints …`: acts of officers on borrowers' complaints, as in the console.
import { Readable } from 'node:stream'
import { languages } from '@lendloom/lending/language'
import { complaintCategories, complaintOutcomes } from '@lendloom/wire/console/complaint-lists'
import type { OfficerLine } from '@lendloom/wire/console/complaint-report'
import type { ComplaintDetail } from '@lendloom/wire/console/complaints'
import type { Colleague } from '@lendloom/wire/console/staff'
import {
  CannotRun,
  type Command,
  type CommandCall,
  command,
  type Group,
  type Options,
  requireArgument,
  requireOption,
  table,
} from './command.ts'
import { complaintIdOf, complaintRoute, exportOne, file, list, report, show } from './complaints-files.ts'
import { type ConsoleCaller, consoleCommand, consoleOf, everyItem, type Input } from './console/ask.ts'
import { wordIn } from './console/words.ts'

/** Creates a command for an act on the current version of a complaint. */
const actCommand = <const O extends Options>({ part, usage = '', input, ...rest }: ActCommand<O>) =>
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
  /** The last part of the route. */
  part: string
  /** The arguments after the number. */
  usage?: string
  input?(call: CommandCall<O>, ask: ConsoleCaller): Input | Promise<Input>
}

const textOption = {
  type: 'string',
  value: 'text',
  about: 'text to send; - reads the text from standard input',
} as const
const category = { type: 'string', value: complaintCategories.join('|'), about: 'category of the complaint' } as const
const outcome = { type: 'string', value: complaintOutcomes.join('|'), about: 'outcome of the complaint' } as const

async function textFrom(given: string | undefined): Promise<string> {
  const text = requireOption(given, 'text')
  if (text !== '-') return text
  return Buffer.concat(await Readable.from(process.stdin).toArray()).toString('utf8')
}

const outcomeFrom = (given: string | undefined) => wordIn(complaintOutcomes, given, 'outcome')

const answer = actCommand({
  name: 'complaints answer',
  summary: 'answer the borrower by e-mail and on the page, or ask a question',
  usage: '--text <text> [--ask]',
  options: { text: textOption, ask: { type: 'boolean', about: 'wait for the borrower’s reply' } },
  part: 'answer',
  input: async ({ options }) => ({
    body: { kind: options.ask ? 'QUESTION' : 'WORDS', text: await textFrom(options.text) },
  }),
})

const resolve = actCommand({
  name: 'complaints resolve',
  summary: 'send the borrower a resolution, which they may reject',
  usage: '--text <text> --outcome <outcome>',
  options: { text: textOption, outcome },
  part: 'answer',
  async input({ options }) {
    const decided = outcomeFrom(requireOption(options.outcome, 'outcome'))
    return { body: { kind: 'RESOLUTION', outcome: decided, text: await textFrom(options.text) } }
  },
})

const note = actCommand({
  name: 'complaints note',
  summary: 'add an internal note; the borrower never sees it',
  usage: '--text <text>',
  options: { text: textOption },
  part: 'note',
  input: async ({ options }) => ({ body: { text: await textFrom(options.text) } }),
})

const assign = actCommand({
  name: 'complaints assign',
  summary: 'assign a complaint to a platform user',
  usage: '[--to <email>]',
  options: { to: { type: 'string', value: 'email', about: 'assignee; without it the complaint becomes unassigned' } },
  part: 'assign',
  async input({ options: { to } }, ask) {
    if (to === undefined) return { body: { assigneeId: null } }
    const people = await everyItem<Colleague>(ask, 'GET /people')
    const person = people.find(({ email }) => email === to.trim().toLowerCase())
    if (!person) throw new CannotRun(`no user has the address ${to}`)
    return { body: { assigneeId: person.personId } }
  },
})

const escalate = actCommand({
  name: 'complaints escalate',
  summary: 'escalate a complaint to the nodal officer',
  options: {},
  part: 'escalate',
})

const close = actCommand({
  name: 'complaints close',
  summary: 'close a complaint and notify the borrower',
  usage: '[--outcome <outcome>]',
  options: { outcome: { ...outcome, about: 'outcome of the complaint; required if it was not resolved' } },
  part: 'close',
  input: ({ options }) => ({ body: { outcome: outcomeFrom(options.outcome) } }),
})

const reopen = actCommand({
  name: 'complaints reopen',
  summary: 'reopen a complaint; its deadlines restart',
  options: {},
  part: 'reopen',
})

const merge = actCommand({
  name: 'complaints merge',
  summary: 'merge a complaint into another one of the same borrower',
  usage: '--into <number>',
  options: { into: { type: 'string', value: 'number', about: 'the complaint that continues' } },
  part: 'merge',
  input: ({ options }) => ({ body: { into: requireOption(options.into, 'into') } }),
})

const markSeen = actCommand({
  name: 'complaints seen',
  summary: 'mark the borrower’s last message as read, without an answer',
  options: {},
  part: 'seen',
})

const categorize = actCommand({
  name: 'complaints category',
  summary: 'change the category of a complaint, which may change its officer',
  usage: '--to <CATEGORY>',
  options: { to: category },
  part: 'category',
  input: ({ options }) => ({ body: { category: requireOption(options.to, 'to').toUpperCase() } }),
})

const forward = actCommand({
  name: 'complaints forward',
  summary: 'forward a complaint to the lender',
  usage: '--text <text>',
  options: { text: textOption },
  part: 'forward',
  input: async ({ options }) => ({ body: { text: await textFrom(options.text) } }),
})

const match = actCommand({
  name: 'complaints match',
  summary: 'match a mailed complaint to a journey',
  usage: '--journey <journeyId>',
  options: { journey: { type: 'string', value: 'journeyId', about: 'journey of the borrower' } },
  part: 'match',
  input: ({ options }) => ({ body: { journeyId: requireOption(options.journey, 'journey') } }),
})

const settle = actCommand({
  name: 'complaints settle',
  summary: 'accept or dismiss a mail from an unknown address',
  usage: '--entry <entryId> [--dismiss]',
  options: {
    entry: { type: 'string', value: 'entryId', about: 'id of the mail, as listed by complaints show' },
    dismiss: { type: 'boolean', about: 'the mail is not from the borrower' },
  },
  part: 'entries/{entryId}/settle',
  input: ({ options }) => ({
    params: { entryId: requireOption(options.entry, 'entry') },
    body: { accept: !options.dismiss },
  }),
})

const openOptions = {
  text: textOption,
  category,
  journey: {
    type: 'string',
    value: 'journeyId',
    about: 'journey of the borrower; without it an officer matches it later',
  },
  language: { type: 'string', value: languages.join('|'), about: 'language of the answers (default: en)' },
  name: { type: 'string', about: 'name of the borrower' },
  email: { type: 'string', about: 'address for answers' },
  mobile: { type: 'string', about: 'number for calls' },
} as const

const open = consoleCommand({
  name: 'complaints open',
  summary: 'record a complaint that a borrower makes by telephone',
  usage:
    '--category <CATEGORY> --text <text> [--journey <journeyId>] [--name <name>] [--email <email>] [--mobile <mobile>]',
  options: openOptions,
  route: 'POST /complaints',
  async input({ options }) {
    const { journey, language = 'en', name, email, mobile } = options
    const category = requireOption(options.category, 'category').toUpperCase()
    const text = await textFrom(options.text)
    return { body: { journeyId: journey, language, name, email, mobile, category, text } }
  },
  text: ({ number }: ComplaintDetail) => `The number of the complaint is ${number}.`,
})

const officers = consoleCommand({
  name: 'complaints officers',
  summary: 'list the grievance officers of the platform and of each lender',
  usage: '',
  options: {},
  route: 'GET /complaint-officers',
  input: () => ({}),
  text: ({ items }: { items: OfficerLine[] }) => officerTable(items),
})

const nameOptions = {
  level: { type: 'string', value: 'OFFICER|NODAL', about: 'first or nodal officer (default: OFFICER)' },
  name: { type: 'string', about: 'name shown to borrowers' },
  email: { type: 'string', about: 'address for complaints' },
  phone: { type: 'string', about: 'telephone number shown to borrowers' },
} as const
const storeOfficer = consoleCommand({
  name: 'complaints name-officer',
  summary: 'set a grievance officer of PLATFORM, or of a lender by its id',
  usage: '<party> --name <name> --email <email> --phone <phone> [--level <level>]',
  options: nameOptions,
  route: 'PUT /complaint-officers',
  input: ({ args, options: { level = 'OFFICER', name, email, phone } }) => ({
    body: {
      party: requireArgument(args, 'PLATFORM or the id of a lender'),
      level: level.toUpperCase(),
      name: requireOption(name, 'name'),
      email: requireOption(email, 'email'),
      phone: requireOption(phone, 'phone'),
    },
  }),
  text: ({ items }: { items: OfficerLine[] }) => officerTable(items),
})

const officerTable = (items: OfficerLine[]): string =>
  table(items, [
    { head: 'OF', of: ({ partyName }) => partyName },
    { head: 'LEVEL', of: ({ level }) => level },
    { head: 'NAME', of: ({ name }) => name },
    { head: 'E-MAIL', of: ({ email }) => email },
    { head: 'TELEPHONE', of: ({ phone }) => phone },
  ])

export const complaints: Group = {
  name: 'complaints',
  summary:
    'borrowers’ complaints: list, show, open, answer, note, assign, escalate, resolve, close, merge, export, report',
  commands: [
    list,
    show,
    answer,
    note,
    assign,
    escalate,
    resolve,
    close,
    reopen,
    merge,
    exportOne,
    report,
    open,
    markSeen,
    categorize,
    forward,
    match,
    settle,
    file,
    officers,
    storeOfficer,
  ],
}
