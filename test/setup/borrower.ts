// A borrower at the hosted page: calls what the page calls, answers the lenders' pages as a browser does, one act at a time.

import { type ConsentPurpose, currentConsentVersion } from '#contract/hosted/consent-text.ts'
import type { EmbedOffer, EmbedView } from '#contract/hosted/embed.ts'
import type { Language } from '#contract/language.ts'
import { readForm } from '#contract/network/forms.ts'
import { readHtml } from '#kit/http/html.ts'
import type { SandboxTenant } from '#platform/access/sandbox-tenants.ts'
import { inEnglish } from '#test/setup/words.ts'
import { deadlineMs } from './deadline.ts'
import { ask, type Reply } from './platform.ts'
import { until } from './programs.ts'

export interface SessionRequest {
  borrowerProviderID: string
  profile: Record<string, unknown> & { contactNumber: string }
  callbackUrl?: string
  [part: string]: unknown
}

/** A complete application of somebody whom every lender wants; the four digits of the PAN may ask for a fault scenario. */
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

/** What a borrower brings to a gold loan. */
export const gold = { jewelleryWeightGrams: 40, purity: '22K' }

export const bankAccount = {
  accountHolderName: 'Asha Kulkarni',
  accountNumber: '50100123456789',
  ifsc: 'HDFC0000001',
  accountType: 'saving',
}

let people = 0
/** Somebody nobody has seen yet, with a mobile number of their own. */
export function newApplicant(more: Partial<SessionRequest> = {}): SessionRequest {
  people++
  const id = `${process.pid % 10_000}${String(people).padStart(4, '0')}`.padStart(8, '0')
  return { borrowerProviderID: `person-${id}`, ...more, profile: { contactNumber: `98${id}`, ...more.profile } }
}

/** The integrator's call that begins everything (D1 §4). */
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
  /** As it was last seen. */
  view: EmbedView
  pan: string | undefined
  /** Visits to lenders' pages that were answered already, by step and attempt. */
  answeredVisits: Set<string>
}

/** Opens the page of an `embedUrl`. */
export async function enter(platformUrl: string, embedUrl: string, pan?: string): Promise<Borrower> {
  const body = { token: tokenOf(embedUrl) }
  const reply = await ask(`${platformUrl}/api/embed/session`, { method: 'POST', body })
  if (reply.status !== 200) throw new Error(`the page could not be opened: ${JSON.stringify(reply.body)}`)
  const { sessionToken, view } = reply.body
  return { platformUrl, sessionToken, journeyId: view.journeyId, view, pan, answeredVisits: new Set() }
}

/** One call of the page, with whatever comes back; a view that came with it is kept. */
export async function call(borrower: Borrower, method: string, path: string, body?: object): Promise<Reply> {
  const { platformUrl, sessionToken } = borrower
  const reply = await ask(`${platformUrl}/api/embed${path}`, { method, key: sessionToken, ...(body && { body }) })
  if (reply.body?.view) borrower.view = reply.body.view
  return reply
}

/** A call that must succeed. */
async function must(borrower: Borrower, method: string, path: string, body?: object): Promise<Reply> {
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
  (await must(borrower, 'GET', '/journey')).body.view

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
  await must(borrower, 'PUT', '/profile', { ...profile, ...more })
  await must(borrower, 'POST', '/profile/submit', consents('bureau', 'data_sharing'))
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
  return must(borrower, 'POST', `/offers/${id}/select`, { amount, tenureMonths, ...more })
}

export const accept = (borrower: Borrower, offerId: string): Promise<Reply> =>
  must(borrower, 'POST', `/offers/${offerId}/accept`, consents('key_facts'))

export type PageStep = 'kyc' | 'bank-mandate' | 'e-mandate' | 'loan-agreement'

export const open = async (borrower: Borrower, step: PageStep): Promise<string> =>
  (await must(borrower, 'POST', `/steps/${step}/open`)).body.url

/** Looks again as long as a page says that it is worth it. */
export async function followRefresh(answer: Response): Promise<Response> {
  let now = answer
  for (let looks = 0; now.headers.has('refresh') && looks < 60; looks++) {
    await now.text()
    await new Promise((resolve) => setTimeout(resolve, 250))
    now = await fetch(now.url)
  }
  return now
}

/** Presses a button on a lender's page, and gives the page that comes then. */
export async function answerPage(url: string, outcome: 'approve' | 'decline'): Promise<string> {
  const page = await followRefresh(await fetch(url))
  if (!page.ok) throw new Error(`the lender's page answered ${page.status}`)
  const text = await page.text()
  // Answered before, by a request whose answer was lost: there is nothing left to press.
  if (readHtml(text).all('form').length === 0) return text
  const form = readForm(text, page.url)
  const entries = form.fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as [string, string]]))
  const sent = await fetch(form.action, {
    method: 'POST',
    body: new URLSearchParams([...entries, ['outcome', outcome]]),
  })
  if (!sent.ok) throw new Error(`the lender's page answered ${sent.status} when it was sent`)
  return (await followRefresh(sent)).text()
}

/** Chooses the analyser on our page for bank statements, and gives the address of its page. */
async function statementPage(url: string): Promise<string> {
  const form = readForm(await (await fetch(url)).text(), url)
  const entries = form.fields.flatMap(({ name, value }) => (value === null ? [] : [[name, value] as [string, string]]))
  const sent = await fetch(form.action, { method: 'POST', body: new URLSearchParams(entries), redirect: 'manual' })
  const { location } = Object.fromEntries(sent.headers)
  if (sent.status !== 303 || !location) throw new Error(`the page for statements answered ${sent.status}`)
  return location
}

interface Choice {
  offer: EmbedOffer
  amount: string
  tenureMonths: number
  /** The language in which the borrower reads. */
  language?: Language
}

export interface Plan {
  /** Which offer, how much of it, and for how long; the first one as it stands unless told, and none yet when null. */
  choose?: (offers: EmbedOffer[]) => Choice | null
  /** The steps whose page the borrower declines. */
  declinedSteps?: PageStep[]
  /** What the borrower says of their work; salaried unless told. */
  employmentType?: 'salaried' | 'selfEmployed'
  /** Where the money goes; the account of everybody else unless told. */
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

/** Looks at offers and does not choose. */
export const browseOnly: Plan = { choose: () => null }

const asOffered = ([offer]: EmbedOffer[]) => ({
  offer: offer!,
  amount: offer!.amountPrincipal,
  tenureMonths: offer!.tenureMonths,
})

/** Does what the screen asks for, if it asks for anything. */
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
  if (screen === 'BANK') await must(borrower, 'POST', '/steps/bank-mandate', account)
  if (!(screen in pageSteps)) return
  const [step, name] = pageSteps[screen as keyof typeof pageSteps]
  const { status, attempts } = steps[name]
  // A lender that has taken the application over tells on the same page how it ended.
  const taken = screen === 'KYC' && selected?.visitBooked ? ':taken' : ''
  const visit = `${screen}:${status === 'IN_PROGRESS' ? attempts : attempts + 1}${taken}`
  if (borrower.answeredVisits.has(visit)) return
  const opened = await open(borrower, step)
  const url = screen === 'STATEMENT' ? await statementPage(opened) : opened
  // A visit is booked first; how it ended is told on the same page.
  if (screen === 'VISIT') await answerPage(url, 'approve')
  await answerPage(url, declinedSteps.includes(step) ? 'decline' : 'approve')
  borrower.answeredVisits.add(visit)
  // The button "I am back"; the journey may have ended meanwhile.
  if (screen === 'LOAN_AGREEMENT') await call(borrower, 'POST', '/steps/loan-agreement/return')
}

/**
 * Acts on what was looked at last. A lender's answer may come between the look and the act, which is then refused:
 * the page looks again, and so does this. A refusal with the same screen still showing is a real one.
 */
async function actOrLookAgain(borrower: Borrower, plan: Plan): Promise<false> {
  const { screen } = borrower.view
  try {
    await act(borrower, plan)
  } catch (error) {
    const overtaken = error instanceof RequestRefused && error.reply.body.error?.code === 'STATE_PRECONDITION_FAILED'
    if (!overtaken || (await readView(borrower)).screen === screen) throw error
  }
  return false
}

/** Goes on, act after act, until the page shows what `done` waits for. */
export async function proceedUntil(
  borrower: Borrower,
  what: string,
  done: (view: EmbedView) => boolean,
  plan: Plan = {},
  withinMs = deadlineMs,
): Promise<EmbedView> {
  try {
    return await until(
      what,
      async () => (done(await readView(borrower)) ? borrower.view : actOrLookAgain(borrower, plan)),
      withinMs,
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
