// A borrower without our hosted page: calls the headless API as documented, and submits lenders' pages like a browser.

import { randomUUID } from 'node:crypto'
import { readHtml } from '@lendloom/http/html'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import type { JourneyType } from '@lendloom/wire/headless/enums'
import type { Steps } from '@lendloom/wire/headless/step'
import { readForm } from '@lendloom/wire/network/html-form'
import { application, bankAccount, followRefresh, newApplicant, RequestRefused, runScript } from './borrower.ts'
import { deadlineMs } from './deadline.ts'
import { allLenders } from './lenders.ts'
import { ask, type Reply } from './platform.ts'
import { until } from './programs.ts'

const base = '/api/v1/headless'

export interface HeadlessBorrower {
  platformUrl: string
  externalId: string
  borrowerId: string
  sessionToken: string
  refreshToken: string
  journeyId: string
}

/** Makes a call, with a new Idempotency-Key unless it is a GET. */
export const callHeadless = (
  { platformUrl, sessionToken }: Pick<HeadlessBorrower, 'platformUrl' | 'sessionToken'>,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  ask(`${platformUrl}${base}${path}`, {
    method,
    key: sessionToken,
    headers: { ...(method !== 'GET' && { 'idempotency-key': randomUUID() }), ...headers },
    ...(body && { body }),
  })

/** Makes a call that must succeed, after any pending operation of the journey, and returns the envelope's data. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export async function mustCall(borrower: HeadlessBorrower, method: string, path: string, body?: object): Promise<any> {
  const reply = await until(`an answer to ${method} ${path}, after pending operations`, async () => {
    const reply = await callHeadless(borrower, method, path, body)
    return reply.body?.error?.code !== 'ASYNC_OPERATION_PENDING' && reply
  })
  if (reply.status >= 300) throw new RequestRefused(`${method} ${path}`, reply)
  return reply.body.data
}

/** Opens a session and creates a journey. */
export async function startHeadlessJourney(
  platformUrl: string,
  { apiKey }: SandboxTenant,
  person = newApplicant(),
  type: JourneyType = 'PERSONAL_LOAN',
): Promise<HeadlessBorrower> {
  const { contactNumber } = person.profile
  const sessionReply = await ask(`${platformUrl}${base}/sessions`, {
    method: 'POST',
    key: apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: {
      borrowerExternalID: person.borrowerProviderID,
      journeyType: type,
      profile: { contactNumber },
    },
  })
  if (sessionReply.status >= 300) throw new RequestRefused('POST /sessions', sessionReply)
  const { borrowerID: borrowerId, sessionToken, refreshToken } = sessionReply.body.data
  const borrower = {
    platformUrl,
    externalId: person.borrowerProviderID,
    borrowerId,
    sessionToken,
    refreshToken,
    journeyId: '',
  }
  const { journeyID } = await mustCall(borrower, 'POST', '/journeys', { type })
  return { ...borrower, journeyId: journeyID }
}

export async function submitProfile(borrower: HeadlessBorrower, pan?: string): Promise<void> {
  const { profile, workProfile, address } = application(pan)
  await mustCall(borrower, 'PUT', `/journeys/${borrower.journeyId}/profile`, { profile, workProfile, address })
  await mustCall(borrower, 'POST', `/journeys/${borrower.journeyId}/profile/submit`, { bureauConsent: true })
}

export const stateOf = (borrower: HeadlessBorrower) =>
  mustCall(borrower, 'GET', `/journeys/${borrower.journeyId}/state`)
export const cardsOf = async (borrower: HeadlessBorrower) =>
  (await mustCall(borrower, 'GET', `/journeys/${borrower.journeyId}/offers`)).items
export const offerPath = ({ journeyId }: HeadlessBorrower, offerId: string): string =>
  `/journeys/${journeyId}/offers/${offerId}`

export const waitForStatus = (borrower: HeadlessBorrower, status: string) =>
  until(`the status ${status}`, async () => (await stateOf(borrower)).status === status)

/** Waits until each of these sandbox lenders has answered and returns their cards. */
export const waitForAllCards = (borrower: HeadlessBorrower, lenders = allLenders) =>
  until('an answer of every lender', async () => {
    const cards = await cardsOf(borrower)
    return cards.length === lenders.length && settledCards(cards) && cards
  })
const settledCards = (cards: { status: string; aa: { required: boolean } }[]): boolean =>
  cards.every(({ status, aa }) => status !== 'OFFER_AWAITED' || aa.required)

/** Follows pages from a link like a browser, pressing each page's button once; returns their titles. */
export const approvePages = async (url: string, outcome: 'approve' | 'decline' = 'approve'): Promise<string[]> =>
  (await answerPages(url, () => outcome)).titles

/** Like `approvePages`, but `press` chooses the button by title; also returns the address of the last page. */
export async function answerPages(
  url: string,
  press: (title: string) => string,
): Promise<{ titles: string[]; url: string }> {
  const titles: string[] = []
  const pressed = new Set<string>()
  let answer = await fetch(url)
  for (let pages = 0; pages < 5; pages++) {
    answer = await followRefresh(answer)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`a page answered ${answer.status}: ${readHtml(text).text()}`)
    const title = readHtml(text).all('h1')[0]?.text() ?? ''
    titles.push(title)
    if (readHtml(text).all('form').length === 0) {
      await runScript(text)
      return { titles, url: answer.url }
    }
    const form = readForm(text, answer.url)
    if (pressed.has(form.action)) return { titles, url: answer.url }
    pressed.add(form.action)
    const entries = form.fields.flatMap(({ name, value }) =>
      value === null || name === 'outcome' ? [] : [[name, value] as [string, string]],
    )
    const body = new URLSearchParams([...entries, ['outcome', press(title)]])
    answer = await fetch(form.action, { method: 'POST', body })
  }
  throw new Error(`too many pages: ${titles.join(', ')}`)
}

const returnPaths = { kyc: 'kyc', eMandate: 'e-mandate', loanAgreement: 'loan-agreement' } as const

/** Completes the steps of the chosen offer until the journey has one of these statuses; `onPoll` observes each poll. */
export async function completeSteps(
  borrower: HeadlessBorrower,
  offerId: string,
  ends: string[] = ['DISBURSED', 'REJECTED'],
  onPoll: (status: string, steps: Steps) => void = () => {},
  withinMs = deadlineMs,
): Promise<string> {
  const path = `${offerPath(borrower, offerId)}/steps`
  const visited = new Set<string>()
  return until(
    `one of ${ends.join(', ')}`,
    async () => {
      // The status is read after the steps and still fits them: a required action stays until it is done.
      const steps: Steps = await mustCall(borrower, 'GET', path)
      const { status } = await stateOf(borrower)
      onPoll(status, steps)
      if (ends.includes(status)) return status
      if (steps.bankMandate.actionRequired === 'SUBMIT_FORM')
        await mustCall(borrower, 'POST', `${path}/bank-mandate`, { ...bankAccount, accountType: 'SAVINGS' })
      for (const name of ['bankMandate', 'kyc', 'eMandate', 'loanAgreement'] as const) {
        const { actionRequired, resource, diagnostics } = steps[name]
        const visit = `${name} ${diagnostics?.attempts ?? 0}`
        if (actionRequired !== 'REDIRECT' || visited.has(visit)) continue
        visited.add(visit)
        await approvePages(resource.redirectURL!)
        // The app's button "I am back"; the journey may have ended meanwhile.
        if (name !== 'bankMandate') await callHeadless(borrower, 'POST', `${path}/${returnPaths[name]}/return`)
      }
      return undefined
    },
    withinMs,
  )
}
