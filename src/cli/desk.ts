// `lendloom desk …`: who may sign in at the desk of the lending partner.

import { randomOctets } from '#kit/crypto/random.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { addStaff, givePassword, removeFromStaff } from '#partner/desk/staff.ts'
import { listStaff } from '#partner/desk/store.ts'
import { type Call, command, type Group, only, required, table } from './command.ts'
import { withDatabase } from './database.ts'

/** Long enough that nobody guesses it: its owner changes it at the desk. */
const newPassword = (): string => randomOctets(15).toString('base64url')
const once = (password: string, next: string): string => `${password}\n\nKeep it now: it cannot be shown again. ${next}`

const addOptions = { name: { type: 'string', value: 'name', about: 'what the desk calls them' } } as const

const add = command({
  name: 'desk add',
  summary: 'let somebody sign in; their password is made here and shown once',
  usage: '<email> --name <name>',
  options: addOptions,
  async run({ args, options, env }: Call<typeof addOptions>) {
    const email = only(args, 'the e-mail address')
    const staff = { email, name: required(options.name, 'name'), password: newPassword() }
    await withDatabase('partner', env, (db) => db.tx((tx) => addStaff(tx, staff, systemClock())))
    return { text: once(staff.password, `${email} signs in with it and changes it at the desk.`), data: staff }
  },
})

const password = command({
  name: 'desk password',
  summary: 'give somebody another password, shown once; wherever they are signed in, they are no longer',
  usage: '<email>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const given = { email: only(args, 'the e-mail address'), password: newPassword() }
    await withDatabase('partner', env, (db) =>
      db.tx((tx) => givePassword(tx, given.email, given.password, systemClock())),
    )
    return { text: once(given.password, `The one before no longer works.`), data: given }
  },
})

const list = command({
  name: 'desk list',
  summary: 'show who may sign in, and when they last did something',
  usage: '',
  options: {},
  async run({ env }: Call<Record<string, never>>) {
    const staff = await withDatabase('partner', env, (db) => listStaff(db))
    const cells = staff.map(({ email, name, createdAt, lastAt }) => {
      return [email, name, createdAt.toISOString(), lastAt?.toISOString() ?? 'never']
    })
    const text = table(['E-MAIL', 'NAME', 'ADDED', 'LAST ACT'], cells)
    return { text: cells.length > 0 ? text : 'Nobody yet: lendloom desk add <email> --name <name>', data: { staff } }
  },
})

const remove = command({
  name: 'desk remove',
  summary: 'let somebody sign in no longer, from this moment; what they did stays recorded',
  usage: '<email>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const email = only(args, 'the e-mail address')
    await withDatabase('partner', env, (db) => db.tx((tx) => removeFromStaff(tx, email, systemClock())))
    return { text: `removed ${email}`, data: { email } }
  },
})

export const desk: Group = {
  name: 'desk',
  summary: 'who may sign in at the desk of the lending partner: list, add, password, remove',
  commands: [list, add, password, remove],
}
