// People at the partner's desk over real HTTP: each with their roles and their session.
import { readHtml } from '#kit/http/html.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { codeOf, stepAt } from '#kit/staff/totp.ts'
import { readCase } from '#partner/case/store.ts'
import { withVersion } from '#partner/desk/approval/seen-version.ts'
import { addStaff } from '#partner/desk/staff/staff.ts'
import type { Role } from '#partner/desk-person.ts'
import { base32Bytes } from './base32.ts'
import type { TestPartner } from './partner.ts'

export const deskPassword = 'correct horse battery'

export interface DeskPage {
  status: number
  text: string
  html: string
  /** Where a redirect leads; empty without one. */
  location: string
}

export interface DeskPerson {
  name: string
  staffId: string
  view(path: string): Promise<DeskPage>
  /** The same as it comes over the wire. */
  fetch(path: string): Promise<Response>
  /** The answer itself, for what is no page. */
  get(path: string): Promise<Response>
  /** A form about a case says that its author saw the case as it is now, unless its address says another version. */
  send(path: string, form?: Record<string, string>): Promise<DeskPage>
  /** A form with a file. */
  upload(path: string, form: FormData): Promise<DeskPage>
}

/** The address of a form about a case, as the page of the case has it now. */
export async function withCurrentVersion({ db }: Pick<TestPartner, 'db'>, path: string): Promise<string> {
  const caseRef = /^\/desk\/(?:cases|approvals)\/([^/?]+)\/[^?]+$/.exec(path)?.[1]
  if (caseRef === undefined) return path
  const loanCase = await readCase(db, decodeURIComponent(caseRef))
  return loanCase ? withVersion(path, loanCase) : path
}

/** Adds somebody and signs them in. */
export async function deskPerson(partner: TestPartner, name: string, ...roles: Role[]): Promise<DeskPerson> {
  const email = `${name.toLowerCase()}@lender.example`
  await partner.db.tx((tx) => addStaff(tx, { email, name, password: deskPassword, roles }, new Date()))
  return deskSession(partner, { name, email, password: deskPassword })
}

interface SignIn {
  name: string
  email: string
  password: string
  /** Of the second factor, where it is on. */
  secret?: string
}

/** Signs in somebody who works at the desk. */
export async function deskSession(partner: TestPartner, given: SignIn): Promise<DeskPerson> {
  const { name, email } = given
  const [row] = await partner.db<{ staffId: string }>`select staff_id from staff where email = ${email}`
  const cookie = await deskCookie(partner, given)
  return withCookie(partner, { name, staffId: row?.staffId ?? '', cookie })
}

const formTo = (partner: Pick<TestPartner, 'url'>, path: string, form: Record<string, string>, cookie = '') =>
  fetch(`${partner.url}${path}`, {
    ...{ method: 'POST', body: new URLSearchParams(form), redirect: 'manual' },
    headers: { cookie },
  })

/** The ticket of a password that was right, for which a code is still owed. */
export async function deskTicket(partner: Pick<TestPartner, 'url'>, email: string, password: string): Promise<string> {
  const page = await (await formTo(partner, '/desk/sign-in', { email, password })).text()
  return /name="ticket" value="([\w-]+)"/.exec(page)?.[1] ?? ''
}

export const submitCode = (partner: Pick<TestPartner, 'url'>, ticket: string, code: string): Promise<Response> =>
  formTo(partner, '/desk/sign-in/code', { ticket, code })

async function deskCookie(partner: TestPartner, { email, password, secret }: SignIn): Promise<string> {
  const entered =
    secret === undefined
      ? await formTo(partner, '/desk/sign-in', { email, password })
      : await submitCode(partner, await deskTicket(partner, email, password), await freshCode(partner, secret))
  return entered.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** A code that is accepted now, whichever were used before. */
export async function freshCode({ db }: Pick<TestPartner, 'db'>, secret: string): Promise<string> {
  await db`update person_totp set totp_step = 0`
  return codeOf(base32Bytes(secret), stepAt(systemClock()))
}

interface Codes {
  secret: string
  recoveryCodes: string[]
}

/** Has codes as the second factor, set up so long ago that they decide. */
export async function switchOnCodes(partner: TestPartner, person: DeskPerson): Promise<Codes> {
  const codes = await setUpCodes(partner, person)
  await partner.db`update person_totp set decides_at = 'epoch' where person_id = ${person.staffId}`
  return codes
}

/** Sets up codes as the second factor. */
export async function setUpCodes(partner: TestPartner, person: DeskPerson): Promise<Codes> {
  const offered = await person.send('/desk/me/second-factor', { password: deskPassword })
  const secret = (/(?:[A-Z2-7]{4} ?){8}/.exec(offered.text)?.[0] ?? '').replaceAll(' ', '')
  const { text } = await person.send('/desk/me/second-factor/confirm', { code: await freshCode(partner, secret) })
  return { secret, recoveryCodes: text.match(/[A-Z2-7]{5}-[A-Z2-7]{5}/g) ?? [] }
}

/** A person with the session of a cookie. */
export function withCookie(
  partner: TestPartner,
  { name, staffId, cookie }: { name: string; staffId: string; cookie: string },
): DeskPerson {
  const sent = (path: string, body?: FormData | URLSearchParams): Promise<Response> =>
    fetch(`${partner.url}${path}`, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
  const fetched = async (path: string, body?: FormData | URLSearchParams): Promise<DeskPage> => {
    const answer = await sent(path, body)
    const location = answer.headers.get('location') ?? ''
    const html = await answer.text()
    return { status: answer.status, text: readHtml(html).text(), html, location }
  }
  return {
    name,
    staffId,
    view: (path) => fetched(path),
    fetch: (path) => sent(path),
    get: (path) => fetch(`${partner.url}${path}`, { redirect: 'manual', headers: { cookie } }),
    send: async (path, form = {}) => fetched(await withCurrentVersion(partner, path), new URLSearchParams(form)),
    upload: fetched,
  }
}

/** The request of a case that waits: where it is decided. */
export async function pendingRequestPath({ db }: TestPartner, caseRef: string, act: string): Promise<string> {
  const [row] = await db<{ requestId: string }>`
    select request_id from approval_request where case_ref = ${caseRef} and act = ${act} and state = 'WAITING'`
  if (!row) throw new Error(`nothing waits of ${caseRef}: ${act}`)
  return `/desk/approvals/${caseRef}/${row.requestId}`
}

/** The change of a setting that waits: where it is decided. */
export async function pendingChangePath({ db }: TestPartner, setting: string): Promise<string> {
  const [row] = await db<{ changeId: string }>`
    select change_id from setting_change where setting = ${setting} and state = 'WAITING'`
  if (!row) throw new Error(`no change of ${setting} waits`)
  return `/desk/policy/changes/${row.changeId}`
}

/** Chooses a password by the link that a text holds, and gives it. */
export async function choosePasswordByLink(
  partner: TestPartner,
  text: string,
  password = 'chosen horse battery',
): Promise<string> {
  const [link] = /\/desk\/password\/[\w-]{43}/.exec(text) ?? []
  if (!link) throw new Error(`no link in ${text}`)
  const body = new URLSearchParams({ password, again: password })
  const { status } = await fetch(`${partner.url}${link}`, { method: 'POST', body })
  if (status !== 200) throw new Error(`${link} answered ${status}`)
  return password
}
