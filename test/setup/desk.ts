// People at the partner's desk over real HTTP: each with their roles and their session.
import { readHtml } from '#kit/http/html.ts'
import { readCase } from '#partner/case/store.ts'
import type { Role } from '#partner/desk/roles.ts'
import { withVersion } from '#partner/desk/seen-version.ts'
import { addStaff } from '#partner/desk/staff.ts'
import type { TestPartner } from './partner.ts'

const password = 'correct horse battery'

export interface Seen {
  status: number
  text: string
  html: string
  /** Where a redirect leads; empty without one. */
  location: string
}

export interface DeskPerson {
  name: string
  staffId: string
  see(path: string): Promise<Seen>
  /** The same as it comes over the wire. */
  fetch(path: string): Promise<Response>
  /** The answer itself, for what is no page. */
  get(path: string): Promise<Response>
  /** A form about a case says that its author saw the case as it is now, unless its address says another version. */
  send(path: string, form?: Record<string, string>): Promise<Seen>
  /** A form with a file. */
  upload(path: string, form: FormData): Promise<Seen>
}

/** The address of a form about a case, as the page of the case has it now. */
export async function asSeen({ db }: Pick<TestPartner, 'db'>, path: string): Promise<string> {
  const caseRef = /^\/desk\/(?:cases|approvals)\/([^/?]+)\/[^?]+$/.exec(path)?.[1]
  if (caseRef === undefined) return path
  const loanCase = await readCase(db, decodeURIComponent(caseRef))
  return loanCase ? withVersion(path, loanCase) : path
}

/** Adds somebody and signs them in. */
export async function deskPerson(partner: TestPartner, name: string, ...roles: Role[]): Promise<DeskPerson> {
  const email = `${name.toLowerCase()}@lender.example`
  await partner.db.tx((tx) => addStaff(tx, { email, name, password, roles }, new Date()))
  return deskSession(partner, { name, email, password })
}

/** Signs in somebody who works at the desk. */
export async function deskSession(
  partner: TestPartner,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<DeskPerson> {
  const [row] = await partner.db<{ staffId: string }>`select staff_id from staff where email = ${email}`
  const body = new URLSearchParams({ email, password })
  const signedIn = await fetch(`${partner.url}/desk/sign-in`, { method: 'POST', body, redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const sent = (path: string, body?: FormData | URLSearchParams): Promise<Response> =>
    fetch(`${partner.url}${path}`, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
  const fetched = async (path: string, body?: FormData | URLSearchParams): Promise<Seen> => {
    const answer = await sent(path, body)
    const location = answer.headers.get('location') ?? ''
    const html = await answer.text()
    return { status: answer.status, text: readHtml(html).text(), html, location }
  }
  return {
    name,
    staffId: row?.staffId ?? '',
    see: (path) => fetched(path),
    fetch: (path) => sent(path),
    get: (path) => fetch(`${partner.url}${path}`, { redirect: 'manual', headers: { cookie } }),
    send: async (path, form = {}) => fetched(await asSeen(partner, path), new URLSearchParams(form)),
    upload: fetched,
  }
}

/** The request of a case that waits: where it is decided. */
export async function waitingRequest({ db }: TestPartner, caseRef: string, act: string): Promise<string> {
  const [row] = await db<{ requestId: string }>`
    select request_id from approval_request where case_ref = ${caseRef} and act = ${act} and state = 'WAITING'`
  if (!row) throw new Error(`nothing waits of ${caseRef}: ${act}`)
  return `/desk/approvals/${caseRef}/${row.requestId}`
}

/** The change of a setting that waits: where it is decided. */
export async function waitingChange({ db }: TestPartner, setting: string): Promise<string> {
  const [row] = await db<{ changeId: string }>`
    select change_id from setting_change where setting = ${setting} and state = 'WAITING'`
  if (!row) throw new Error(`no change of ${setting} waits`)
  return `/desk/policy/changes/${row.changeId}`
}

/** Chooses a password by the link that a text holds, and gives it. */
export async function passwordBy(
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
