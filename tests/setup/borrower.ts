// Acts as a borrower on the hosted page: calls the page's API and submits the lenders' pages as a browser does.

import { readHtml } from '@lendloom/http/html'
import type { Language } from '@lendloom/lending/language'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { type ConsentPurpose, currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { readForm } from '@lendloom/wire/network/html-form'
import { deadlineMs } from './deadline.ts'
import { ask, type Reply } from './platform.ts'
import { until } from './programs.ts'
import { inEnglish } from './words.ts'

export interface SessionRequest {
  borrowerProviderID: string
  profile: Record<string, unknown> & { contactNumber: string }
  callbackUrl?: string
  [part: string]: unknown
}

/** A complete application that every lender approves; the digits of the PAN may trigger a fault scenario. */
export const application = (pan = 'ABCPE1234F') => ({
  profile: { panName: 'Asha Kulkarni', pan, dob: '1992-02-29', gender: 'female', personalemail: 'asha@mail.example' },
  workProfile: {
    employmentType: 'salaried',
    companyName: 'Example Industries',
    income: 85_000,
    officialemail: 'asha@example-industries.example',
  },
  address: { addressL1: '7 Fort Road', addressL2: 'Fort', city: 'Mumbai', state: 'Maharashtra', pincode: '400001' },
  endUse: 'education',
})

export const gold = { jewelleryWeightGrams: 40, purity: '22K' }

export const bankAccount = {
  accountHolderName: 'Asha Kulkarni',
  accountNumber: '50100123456789',
  ifsc: 'HDFC0000001',
  accountType: 'saving',
}

let applicantCount = 0
/** Returns the session request of a new borrower with a unique mobile number. */
export function newApplicant(more: Partial<SessionRequest> = {}): SessionRequest {
  applicantCount++
  const id = `${process.pid % 10_000}${String(applicantCount).padStart(4, '0')}`.padStart(8, '0')
  return { borrowerProviderID: `person-${id}`, ...more, profile: { contactNumber: `98${id}`, ...more.profile } }
}

/** Opens a session as the integrator's server does (D1 §4). */
export const openSession = (
  platformUrl: string,
  { apiKey }: SandboxTenant,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> => ask(`${platformUrl}/api/lab/sessions`, { method: 'POST', key: apiKey, body, headers })

export const tokenOf = (embedUrl: string): string => new URLSearchParams(new URL(embedUrl).hash.slice(1)).get('token')!

export interface Borrower {
  platformUrl: string
  sessionToken: string
  journeyId: string
  view: EmbedView
  pan: string | undefined
  /** Submitted visits to lenders' pages, each as `screen:attempt`. */
  answeredVisits: Set<string>
}

/** Opens the hosted page at an `embedUrl`. */
export async function enter(platformUrl: string, embedUrl: string, pan?: string): Promise<Borrower> {
  const body = { token: tokenOf(embedUrl) }
  const reply = await ask(`${platformUrl}/api/embed/session`, { method: 'POST', body })
  if (reply.status !== 200) throw new Error(`the page could not be opened: ${JSON.stringify(reply.body)}`)
  const { sessionToken, view } = reply.body
  return { platformUrl, sessionToken, journeyId: view.journeyId, view, pan, answeredVisits: new Set() }
}

/** Makes one API call of the page and stores the reply's view, if any. */
export async function call(borrower: Borrower, method: string, path: string, body?: object): Promise<Reply> {
  const { platformUrl, sessionToken } = borrower
  const reply = await ask(`${platformUrl}/api/embed${path}`, { method, key: sessionToken, ...(body && { body }) })
  if (reply.body?.view) borrower.view = reply.body.view
  return reply
}

/** Makes a call and throws `RequestRefused` unless it succeeds. */
async function callOrThrow(borrower: Borrower, method: string, path: string, body?: object): Promise<Reply> {
  const reply = await call(borrower, method, path, body)
  if (reply.status !== 200) throw new RequestRefused(`${method} ${path}`, reply)
  return reply
}

export class RequestRefused extends Error {
  readonly reply: Reply

  constructor(what: string, reply: Reply) {
    super(`${what} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    this.reply = reply
  }
}

export const readView = async (borrower: Borrower): Promise<EmbedView> =>
  (await callOrThrow(borrower, 'GET', '/journey')).body.view

export const consents = (...purposes: ConsentPurpose[]) => ({
  consents: purposes.map((purpose) => ({ purpose, textVersion: currentConsentVersion, language: 'en' })),
})

export async function apply(
  borrower: Borrower,
  employmentType: 'salaried' | 'selfEmployed' = 'salaried',
): Promise<void> {
  const { workProfile, ...profile } = application(borrower.pan)
  const isGold = borrower.view.journeyType === 'GOLD_LOAN'
  const more = isGold ? { goldLoan: gold } : { workProfile: { ...workProfile, employmentType } }
  await callOrThrow(borrower, 'PUT', '/profile', { ...profile, ...more })
  await callOrThrow(borrower, 'POST', '/profile/submit', consents('bureau', 'data_sharing'))
}

export const select = (
  borrower: Borrower,
  { id, branches }: EmbedOffer,
  amount: string,
  tenureMonths: number,
  language?: Language,
): Promise<Reply> => {
  const [nearest] = branches
  const more = { ...(language && { language }), ...(nearest && { branchID: nearest.id }) }
  return callOrThrow(borrower, 'POST', `/offers/${id}/select`, { amount, tenureMonths, ...more })
}

/** Accepts the terms that the page shows now. */
export async function accept(borrower: Borrower, offerId: string): Promise<Reply> {
  const { selected } = await readView(borrower)
  const body = { quote: selected?.quote, ...consents('key_facts') }
  return callOrThrow(borrower, 'POST', `/offers/${offerId}/accept`, body)
}

export type PageStep = 'kyc' | 'bank-mandate' | 'e-mandate' | 'loan-agreement'

export const open = async (borrower: Borrower, step: PageStep): Promise<string> =>
  (await callOrThrow(borrower, 'POST', `/steps/${step}/open`)).body.url

/** Reloads a page while it has a Refresh header. */
export async function followRefresh(answer: Response): Promise<Response> {
  let page = answer
  for (const end = Date.now() + deadlineMs; page.headers.has('refresh') && Date.now() < end; ) {
    await page.text()
    await new Promise((resolve) => setTimeout(resolve, 250))
    page = await fetch(page.url)
  }
  return page
}

/** Presses a button on a lender's page and returns the next page. */
export async function answerPage(url: string, outcome: 'approve' | 'decline'): Promise<string> {
  const page = await followRefresh(await fetch(url))
  if (!page.ok) throw new Error(`the lender's page answered ${page.status}`)
  const text = await page.text()
  // Without a form, an earlier request whose response was lost has submitted it.
  if (readHtml(text).all('form').length === 0) return text
  const form = readForm(text, page.url)
  const entries = form.fields.flatMap(({ name, value }) =>
    value === null || name === 'outcome' ? [] : [[name, value] as [string, string]],
  )
  const response = await fetch(form.action, {
    method: 'POST',
    body: new URLSearchParams([...entries, ['outcome', outcome]]),
  })
  if (!response.ok) throw new Error(`the lender's page answered the form with ${response.status}`)
  const nextText = await (await followRefresh(response)).text()
  await runScript(nextText)
  return nextText
}

/** Tells our app that a page is done, as the script of a lender's last page does (FIS12 §26.2). */
export async function runScript(page: string): Promise<void> {
  const address = readHtml(page).all('script')[0]?.attributes['data-address']
  if (address !== undefined) await fetch(address)
}

/** Submits our page for bank statements and returns the address of the analyser's page. */
async function statementPage(url: string): Promise<string> {
  const form = readForm(await (await fetch(url)).text(), url)
  const entries = form.fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as [string, string]]))
  const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(entries), redirect: 'manual' })
  const { location } = Object.fromEntries(response.headers)
  if (response.status !== 303 || !location) throw new Error(`the page for statements answered ${response.status}`)
  return location
}

interface Choice {
  offer: EmbedOffer
  amount: string
  tenureMonths: number
  /** The borrower's language. */
  language?: Language
}

export interface Plan {
  /** Chooses offer, amount and tenure; null waits for more offers. Defaults to the first offer, unchanged. */
  choose?: (offers: EmbedOffer[]) => Choice | null
  /** The steps whose page the borrower declines. */
  declinedSteps?: PageStep[]
  /** Defaults to salaried. */
  employmentType?: 'salaried' | 'selfEmployed'
  /** The account for the disbursal. */
  account?: typeof bankAccount
}

const pageSteps = {
  KYC: ['kyc', 'kyc'],
  VISIT: ['kyc', 'kyc'],
  STATEMENT: ['bank-mandate', 'bankMandate'],
  LIEN: ['e-mandate', 'eMandate'],
  E_MANDATE: ['e-mandate', 'eMandate'],
  LOAN_AGREEMENT: ['loan-agreement', 'loanAgreement'],
} as const

/** Reads offers without choosing one. */
export const browseOnly: Plan = { choose: () => null }

const asOffered = ([offer]: EmbedOffer[]) => ({
  offer: offer!,
  amount: offer!.amountPrincipal,
  tenureMonths: offer!.tenureMonths,
})

/** Does the act that the screen requires, if any. */
export async function act(
  borrower: Borrower,
  { choose = asOffered, declinedSteps = [], employmentType, account = bankAccount }: Plan = {},
): Promise<void> {
  const { screen, offers, selected, steps } = borrower.view
  if (screen === 'PROFILE' || screen === 'NO_ANSWER') return apply(borrower, employmentType)
  if (screen === 'OFFERS') {
    const choice = choose(offers)
    if (choice) await select(borrower, choice.offer, choice.amount, choice.tenureMonths, choice.language)
  }
  if (screen === 'FINAL_OFFER') await accept(borrower, selected!.offerId)
  if (screen === 'BANK') await callOrThrow(borrower, 'POST', '/steps/bank-mandate', account)
  if (!(screen in pageSteps)) return
  const [step, name] = pageSteps[screen as keyof typeof pageSteps]
  const { status, attempts } = steps[name]
  // After a booked visit, the lender reports the result of the visit on the same page.
  const suffix = screen === 'KYC' && selected?.visitBooked ? ':taken' : ''
  const visit = `${screen}:${status === 'IN_PROGRESS' ? attempts : attempts + 1}${suffix}`
  if (borrower.answeredVisits.has(visit)) return
  const redirectUrl = await open(borrower, step)
  const url = screen === 'STATEMENT' ? await statementPage(redirectUrl) : redirectUrl
  // The first submit books the visit, the second reports the result of the visit.
  if (screen === 'VISIT') await answerPage(url, 'approve')
  await answerPage(url, declinedSteps.includes(step) ? 'decline' : 'approve')
  borrower.answeredVisits.add(visit)
  // The button "I am back"; the journey may have ended meanwhile.
  if (screen !== 'STATEMENT') await call(borrower, 'POST', `/steps/${step}/return`)
}

/** Acts on the last view. If a lender's answer has made that view out of date, reads it again instead. */
async function actOrRefresh(borrower: Borrower, plan: Plan): Promise<false> {
  const { screen } = borrower.view
  try {
    await act(borrower, plan)
  } catch (error) {
    const isStale = error instanceof RequestRefused && error.reply.body.error?.code === 'STATE_PRECONDITION_FAILED'
    if (!isStale || (await readView(borrower)).screen === screen) throw error
  }
  return false
}

/** Acts until `done` accepts the view. */
export async function proceedUntil(
  borrower: Borrower,
  what: string,
  done: (view: EmbedView) => boolean,
  plan: Plan = {},
): Promise<EmbedView> {
  try {
    return await until(what, async () =>
      done(await readView(borrower)) ? borrower.view : actOrRefresh(borrower, plan),
    )
  } catch (error) {
    const { status, screen, endReason } = borrower.view
    throw new Error(`${(error as Error).message}; the journey is ${status} ${screen} ${inEnglish(endReason)}`, {
      cause: error,
    })
  }
}

export const showsScreen =
  (...screens: EmbedView['screen'][]) =>
  ({ screen }: EmbedView): boolean =>
    screens.includes(screen)
