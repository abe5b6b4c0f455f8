// `lendloom desk …`: staff of the lending partner's desk, and the desk's audit log, journal and bureau report.

import { open } from 'node:fs/promises'
import { configFrom } from '@lendloom/foundation/config'
import { isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { messageOf } from '@lendloom/foundation/thrown'
import { verifyLog } from '@lendloom/identity/audit'
import { emailOf } from '@lendloom/identity/person'
import {
  bureauAccounts,
  bureauCsv,
  duesTolerance,
  journalCsv,
  journalJson,
  lastBusinessDay,
  ledgerSettings,
  readJournal,
  rederiveBooks,
} from '@lendloom/partner/operations/books'
import {
  type Actor,
  roles as allRoles,
  changeRoles,
  deskLog,
  deskLogName,
  inviteStaff,
  linkAddress,
  listStaff,
  type Role,
  removeFromStaff,
  resetPassword,
  resetSecondFactor,
} from '@lendloom/partner/operations/staff'
import { settings } from '@lendloom/partner/settings'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import { type CommandCall, command, type Group, requireArgument, requireOption, UsageError } from './command.ts'
import { resultTable } from './console/words.ts'
import { sealOf, withDatabase } from './database.ts'
import { headsFrom, headsNote, headsOption } from './heads.ts'
import { clockOf, dataDirectory, runOf } from './installation.ts'

const byHand = {
  'by-hand': {
    type: 'boolean',
    about: 'print the link instead of mailing it; the account cannot approve until its password is reset by mail',
  },
} as const

/** The result of a command that creates a password link; without a token, the partner mails the link. */
function linkReply(env: NodeJS.ProcessEnv, email: string, token: string | null): { link: string | null; text: string } {
  if (token === null) return { link: null, text: `the partner mails ${email} a link to choose a password` }
  const publicUrl =
    env.PARTNER_PUBLIC_URL || runOf(dataDirectory(env))?.partner?.url || settings.PARTNER_PUBLIC_URL.fallback || ''
  const link = linkAddress(publicUrl, token)
  return {
    link,
    text: `${link}\n\n${email} chooses a password at this link, which works once and cannot be shown again.`,
  }
}

/** Acts of the command line have no account. */
const commandLineActor = (env: NodeJS.ProcessEnv): Actor => ({ account: null, at: clockOf(env)() })

const role = {
  type: 'string',
  value: 'role',
  about: `role: ${allRoles.join(', ')}; may be repeated`,
  multiple: true,
} as const
const addOptions = {
  name: { type: 'string', value: 'name', about: 'display name' },
  role,
  ...byHand,
} as const

function rolesFrom(words: string[] | undefined): Role[] {
  if (!words || words.length === 0) throw new UsageError(`at least one --role is required: ${allRoles.join(', ')}`)
  return words.map((word) => {
    if (!isOneOf(allRoles, word)) throw new UsageError(`--role must be one of ${allRoles.join(', ')}, not "${word}"`)
    return word
  })
}

const add = command({
  name: 'desk add',
  summary: 'add a user, who chooses a password by a mailed link',
  usage: '<email> --name <name> --role <role> [--by-hand]',
  options: addOptions,
  async run({ args, options, env }: CommandCall<typeof addOptions>) {
    const email = emailOf(requireArgument(args, 'the e-mail address'))
    const staff = { email, name: requireOption(options.name, 'name'), roles: rolesFrom(options.role) }
    const delivery = options['by-hand'] ? 'hand' : 'mail'
    const token = await withDatabase('partner', env, (db) =>
      db.tx((tx) => inviteStaff(tx, staff, delivery, commandLineActor(env))),
    )
    const { link, text } = linkReply(env, email, token)
    return { text, data: { ...staff, link } }
  },
})

const rolesOptions = { role } as const

const roles = command({
  name: 'desk roles',
  summary: 'replace the roles of a user, from their next request on',
  usage: '<email> --role <role>',
  options: rolesOptions,
  async run({ args, options, env }: CommandCall<typeof rolesOptions>) {
    const email = requireArgument(args, 'the e-mail address')
    const newRoles = rolesFrom(options.role)
    await withDatabase('partner', env, (db) => db.tx((tx) => changeRoles(tx, email, newRoles, clockOf(env)())))
    return { text: `${email}: ${newRoles.join(', ')}`, data: { email, roles: newRoles } }
  },
})

const verifyOptions = { heads: headsOption } as const

const verify = command({
  name: 'desk verify',
  summary: 'verify that no entry of the desk’s audit log was changed, removed or inserted; exits with 1 if one was',
  usage: '[--heads <file>]',
  options: verifyOptions,
  async run({ options, env }: CommandCall<typeof verifyOptions>) {
    const heads = await headsFrom(
      options.heads,
      () => sealOf(env, 'partner'),
      (log) => log === deskLogName,
    )
    const found = await withDatabase('partner', env, (db) => db.snapshot((run) => verifyLog(run, deskLog, heads)))
    const { entries, digest, fault } = found
    if (fault)
      throw new Refusal(
        'damaged',
        `entry ${fault.sequence} is invalid: ${fault.why}; the ${entries} entries before it are valid`,
        {
          ...found,
        },
      )
    const note = headsNote(options.heads, env)
    const text = `all ${entries} entries are valid; the last digest is ${digest}`
    return { text: note ? `${text}\n${note}` : text, data: { ...found, note } }
  },
})

const journalOptions = {
  from: { type: 'string', value: 'day', about: 'the first business day, YYYY-MM-DD' },
  to: { type: 'string', value: 'day', about: 'the last business day, inclusive' },
  format: { type: 'string', value: 'format', about: 'csv, or jsonl with one JSON object per posting (default: csv)' },
  out: { type: 'string', value: 'file', about: 'file to write; an existing file is not overwritten' },
} as const

const journal = command({
  name: 'desk journal',
  summary: 'write the journal of a period to a file, one line per posting',
  usage: '--from <day> --to <day> --out <file>',
  options: journalOptions,
  async run({ options, env }: CommandCall<typeof journalOptions>) {
    const period = { from: dayIn(options.from, 'from'), to: dayIn(options.to, 'to') }
    const out = requireOption(options.out, 'out')
    const { format = 'csv' } = options
    if (format !== 'csv' && format !== 'jsonl') throw new UsageError(`--format must be csv or jsonl, not "${format}"`)
    const codes = ledgerSettings.PARTNER_GENERAL_LEDGER.read(env.PARTNER_GENERAL_LEDGER ?? '')
    const postings = await withDatabase('partner', env, (db) =>
      db.snapshot((run) =>
        writePages(out, readJournal(run, period), (format === 'csv' ? journalCsv : journalJson)(codes)),
      ),
    )
    return { text: `wrote ${postings} postings to ${out}`, data: { ...period, postings, out } }
  },
})

const rederive = command({
  name: 'desk rederive',
  summary:
    'derive the books, reports, portfolio and bureau report again from the entries; exits with 1 and names each figure that differs',
  usage: '',
  options: {},
  async run({ env }: CommandCall<Record<string, never>>) {
    const { figures, postings } = await withDatabase('partner', env, (db) => db.snapshot(rederiveBooks))
    const different = figures.filter(({ derived, stored }) => derived !== stored)
    if (different.length > 0)
      throw new Refusal(
        'damaged',
        `${different.length} of ${figures.length} figures differ from ${postings} postings:\n${different.map(({ what, derived, stored }) => `${what}: ${derived} by the postings, ${stored} stored`).join('\n')}`,
        { different },
      )
    const text = `${postings} postings give all ${figures.length} figures:\n${figures.map(({ what }) => what).join('\n')}`
    return { text, data: { postings, figures } }
  },
})

const bureauOptions = {
  'closed-since': { type: 'string', value: 'day', about: 'include loans closed on or after this day, YYYY-MM-DD' },
  out: { type: 'string', value: 'file', about: 'file to write; an existing file is not overwritten' },
} as const

/** The setting up to which overdue amounts do not count, read here because the partner is not started. */
const tolerated = { PARTNER_DUES_TOLERANCE: settings.PARTNER_DUES_TOLERANCE }

const bureauReport = command({
  name: 'desk bureau-report',
  summary: 'write the credit bureau report: every account with its holder, as of the last day-end',
  usage: '--closed-since <day> --out <file>',
  options: bureauOptions,
  async run({ options, env }: CommandCall<typeof bureauOptions>) {
    const closedSince = dayIn(options['closed-since'], 'closed-since')
    const out = requireOption(options.out, 'out')
    const seal = sealOf(env, 'partner')
    return withDatabase('partner', env, async (db) => {
      const last = await lastBusinessDay(db)
      if (!last) throw new UsageError('there is nothing to report: no business day has closed yet')
      const report = { reportedOn: last.endedOn, closedSince }
      const tolerance = duesTolerance(configFrom(tolerated, env))
      const accounts = await writePages(out, bureauAccounts({ db, seal }, { ...report, tolerance }), (page, isFirst) =>
        bureauCsv.linesOf(page, { reportedOn: report.reportedOn, isFirst }),
      )
      return { text: `wrote ${accounts} accounts to ${out}`, data: { ...report, accounts, out } }
    })
  },
})

/** Writes pages to a new file. Returns the number of lines. */
async function writePages<Line>(
  out: string,
  pages: AsyncIterable<Line[]>,
  write: (page: Line[], isFirst: boolean) => string,
): Promise<number> {
  const file = await open(out, 'wx', 0o600).catch((error: unknown) => {
    throw new UsageError(`--out cannot be written: ${messageOf(error)}`)
  })
  try {
    let lines = 0
    for await (const page of pages) {
      await file.write(write(page, lines === 0))
      lines += page.length
    }
    if (lines === 0) await file.write(write([], true))
    return lines
  } finally {
    await file.close()
  }
}

/** Reads a business day from an option. */
function dayIn(given: string | undefined, name: 'from' | 'to' | 'closed-since'): string {
  const day = requireOption(given, name)
  if (!fits(BusinessDate, day)) throw new UsageError(`--${name} must be a day such as 2026-11-30, not "${day}"`)
  return day
}

const password = command({
  name: 'desk password',
  summary: 'reset the password and end the sessions of a user, who chooses a new password by a mailed link',
  usage: '<email> [--by-hand]',
  options: byHand,
  async run({ args, options, env }: CommandCall<typeof byHand>) {
    const email = emailOf(requireArgument(args, 'the e-mail address'))
    const delivery = options['by-hand'] ? 'hand' : 'mail'
    const token = await withDatabase('partner', env, (db) =>
      db.tx((tx) => resetPassword(tx, email, delivery, commandLineActor(env))),
    )
    const { link, text } = linkReply(env, email, token)
    return { text, data: { email, link } }
  },
})

const removeSecondFactor = command({
  name: 'desk second-factor',
  summary:
    'remove the second factor of a user who lost it; the account cannot approve until its password is reset by mail',
  usage: '<email>',
  options: {},
  async run({ args, env }: CommandCall<Record<string, never>>) {
    const email = emailOf(requireArgument(args, 'the e-mail address'))
    await withDatabase('partner', env, (db) => db.tx((tx) => resetSecondFactor(tx, email, commandLineActor(env))))
    return { text: `removed the second factor of ${email}`, data: { email } }
  },
})

const list = command({
  name: 'desk list',
  summary: 'list the users of the desk with their last act',
  usage: '',
  options: {},
  async run({ env }: CommandCall<Record<string, never>>) {
    const staff = await withDatabase('partner', env, (db) => listStaff(db))
    const text = resultTable(
      staff,
      [
        { head: 'E-MAIL', of: ({ email }) => email },
        { head: 'NAME', of: ({ name }) => name },
        { head: 'ROLES', of: ({ roles: userRoles }) => userRoles.join(' ') },
        { head: 'ADDED', of: ({ createdAt }) => createdAt.toISOString() },
        { head: 'LAST ACT', of: ({ lastAt }) => lastAt?.toISOString() ?? 'never' },
      ],
      'There are no users yet: lendloom desk add <email> --name <name> --role admin',
    )
    return { text, data: staff }
  },
})

const remove = command({
  name: 'desk remove',
  summary: 'remove a user at once; the audit log keeps their acts',
  usage: '<email>',
  options: {},
  async run({ args, env }: CommandCall<Record<string, never>>) {
    const email = requireArgument(args, 'the e-mail address')
    await withDatabase('partner', env, (db) => db.tx((tx) => removeFromStaff(tx, email, commandLineActor(env))))
    return { text: `removed ${email}`, data: { email } }
  },
})

export const desk: Group = {
  name: 'desk',
  summary:
    'users of the lending partner’s desk, its audit log and its reports: list, add, roles, password, second-factor, remove, verify, journal, rederive, bureau-report',
  commands: [list, add, roles, password, removeSecondFactor, remove, verify, journal, rederive, bureauReport],
}
