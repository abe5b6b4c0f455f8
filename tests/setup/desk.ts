// Users of the partner's desk over real HTTP, each with roles and a session.

import { systemClock } from '@lendloom/foundation/clock'
import { readHtml } from '@lendloom/http/html'
import { codeOf, stepAt } from '@lendloom/identity/src/totp.ts'
import { withVersion } from '@lendloom/partner/src/desk/approval/seen-version.ts'
import { addStaff } from '@lendloom/partner/src/desk/staff/staff.ts'
import { readCase } from '@lendloom/partner/src/origination/case/store.ts'
import type { Role } from '@lendloom/partner/src/people/person.ts'
import { caseOfLoan } from '@lendloom/partner/src/servicing/collection/receipt/store.ts'
import { base32Bytes } from './base32.ts'
import type { TestPartner } from './partner.ts'

export const deskPassword = 'correct horse battery'

export interface DeskPage {
  status: number
  text: string
  html: string
  /** The redirect's target; empty without one. */
  location: string
}

type DeskForm = Record<string, string> | [name: string, value: string][]

export interface DeskPerson {
  name: string
  staffId: string
  view(path: string): Promise<DeskPage>
  /** Requests a page and returns the raw response. */
  fetch(path: string): Promise<Response>
  /** Requests something other than a page and returns the raw response. */
  get(path: string): Promise<Response>
  /** Submits a form; a form about a case gets the case's current version unless its path has a query. */
  send(path: string, form?: DeskForm): Promise<DeskPage>
  /** Submits a form with a file. */
  upload(path: string, form: FormData): Promise<DeskPage>
}

/** Adds the case's current version to the path of a form, as the pages of a case and of a receipt do. */
export async function withCurrentVersion(
  { db }: Pick<TestPartner, 'db'>,
  path: string,
  form: DeskForm = {},
): Promise<string> {
  const caseRef = /^\/desk\/(?:cases|approvals)\/([^/?]+)\/[^?]+$/.exec(path)?.[1]
  const isReceipt = /^\/desk\/money\/receipts\/[^?]+$/.test(path)
  const number = isReceipt ? new URLSearchParams(form).get('number') : null
  const shownCase = caseRef === undefined ? await caseOfLoan(db, [number ?? '']) : decodeURIComponent(caseRef)
  if (shownCase === undefined) return path
  const loanCase = await readCase(db, shownCase)
  return loanCase ? withVersion(path, loanCase, new Date()) : path
}

/** Creates a desk user and signs in. */
export async function deskPerson(partner: TestPartner, name: string, ...roles: Role[]): Promise<DeskPerson> {
  const email = `${name.toLowerCase()}@lender.example`
  await partner.db.tx((tx) => addStaff(tx, { email, name, password: deskPassword, roles }, new Date()))
  return deskSession(partner, { name, email, password: deskPassword })
}

interface SignIn {
  name: string
  email: string
  password: string
  /** Secret of the second factor, if enabled. */
  secret?: string
}

/** Signs in an existing desk user. */
export async function deskSession(partner: TestPartner, signIn: SignIn): Promise<DeskPerson> {
  const { name, email } = signIn
  const [row] = await partner.db<{ staffId: string }>`select staff_id from staff where email = ${email}`
  const cookie = await deskCookie(partner, signIn)
  return withCookie(partner, { name, staffId: row?.staffId ?? '', cookie })
}

const formTo = (partner: Pick<TestPartner, 'url'>, path: string, form: Record<string, string>, cookie = '') =>
  fetch(`${partner.url}${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
    headers: { cookie },
  })

/** Submits a correct password and returns the ticket for the code step. */
export async function deskTicket(partner: Pick<TestPartner, 'url'>, email: string, password: string): Promise<string> {
  const page = await (await formTo(partner, '/desk/sign-in', { email, password })).text()
  return /name="ticket" value="([\w-]+)"/.exec(page)?.[1] ?? ''
}

export const submitCode = (partner: Pick<TestPartner, 'url'>, ticket: string, code: string): Promise<Response> =>
  formTo(partner, '/desk/sign-in/code', { ticket, code })

async function deskCookie(partner: TestPartner, { email, password, secret }: SignIn): Promise<string> {
  const response =
    secret === undefined
      ? await formTo(partner, '/desk/sign-in', { email, password })
      : await submitCode(partner, await deskTicket(partner, email, password), await freshCode(partner, secret))
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Returns a code that is valid now, even if it was used before. */
export async function freshCode({ db }: Pick<TestPartner, 'db'>, secret: string): Promise<string> {
  await db`update person_totp set totp_step = 0`
  return codeOf(base32Bytes(secret), stepAt(systemClock()))
}

interface SecondFactor {
  secret: string
  recoveryCodes: string[]
}

/** Sets up a second factor with which the user can decide at once, not only after a day. */
export async function enableSecondFactor(partner: TestPartner, person: DeskPerson): Promise<SecondFactor> {
  const secondFactor = await setUpSecondFactor(partner, person)
  await partner.db`update person_totp set decides_at = 'epoch' where person_id = ${person.staffId}`
  return secondFactor
}

/** Sets up an authenticator app as the second factor. */
export async function setUpSecondFactor(partner: TestPartner, person: DeskPerson): Promise<SecondFactor> {
  const setupPage = await person.send('/desk/me/second-factor', { password: deskPassword })
  const secret = (/(?:[A-Z2-7]{4} ?){8}/.exec(setupPage.text)?.[0] ?? '').replaceAll(' ', '')
  const { text } = await person.send('/desk/me/second-factor/confirm', { code: await freshCode(partner, secret) })
  return { secret, recoveryCodes: text.match(/[A-Z2-7]{5}-[A-Z2-7]{5}/g) ?? [] }
}

/** Returns a desk user with this session cookie. */
export function withCookie(
  partner: TestPartner,
  { name, staffId, cookie }: { name: string; staffId: string; cookie: string },
): DeskPerson {
  const request = (path: string, body?: FormData | URLSearchParams): Promise<Response> =>
    fetch(`${partner.url}${path}`, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
  const requestPage = async (path: string, body?: FormData | URLSearchParams): Promise<DeskPage> => {
    const answer = await request(path, body)
    const location = answer.headers.get('location') ?? ''
    const html = await answer.text()
    return { status: answer.status, text: readHtml(html).text(), html, location }
  }
  return {
    name,
    staffId,
    view: (path) => requestPage(path),
    fetch: (path) => request(path),
    get: (path) => fetch(`${partner.url}${path}`, { redirect: 'manual', headers: { cookie } }),
    send: async (path, form = {}) =>
      requestPage(await withCurrentVersion(partner, path, form), new URLSearchParams(form)),
    upload: requestPage,
  }
}

/** Returns the path of a case's pending approval request. */
export async function pendingRequestPath({ db }: TestPartner, caseRef: string, act: string): Promise<string> {
  const [row] = await db<{ requestId: string }>`
    select request_id from approval_request where case_ref = ${caseRef} and act = ${act} and state = 'WAITING'`
  if (!row) throw new Error(`${caseRef} has no pending request: ${act}`)
  return `/desk/approvals/${caseRef}/${row.requestId}`
}

export async function pendingChangePath({ db }: TestPartner, setting: string): Promise<string> {
  const [row] = await db<{ changeId: string }>`
    select change_id from setting_change where setting = ${setting} and state = 'WAITING'`
  if (!row) throw new Error(`${setting} has no pending change`)
  return `/desk/policy/changes/${row.changeId}`
}

/** Chooses a password through the link in a text and returns the password. */
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
