// A borrower whose app has no page of ours: calls the headless API as its document describes it, and the lenders' pages as a browser.

import { randomUUID } from 'node:crypto'
import type { JourneyType } from '#contract/headless/fields.ts'
import type { Steps } from '#contract/headless/step.ts'
import { readForm } from '#contract/network/forms.ts'
import { readHtml } from '#kit/http/html.ts'
import type { SandboxTenant } from '#platform/access/sandbox-tenants.ts'
import { application, bankAccount, followRefresh, newApplicant, RequestRefused } from './borrower.ts'
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

/** A call with a fresh Idempotency-Key where one is needed; whatever comes back. */
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

/** A call that must succeed, if need be when what is under way for the journey is done, and the data of its envelope. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
export async function mustCall(borrower: HeadlessBorrower, method: string, path: string, body?: object): Promise<any> {
  const reply = await until(`an answer to ${method} ${path}, behind what is under way`, async () => {
    const given = await callHeadless(borrower, method, path, body)
    return given.body?.error?.code !== 'ASYNC_OPERATION_PENDING' && given
  })
  if (reply.status >= 300) throw new RequestRefused(`${method} ${path}`, reply)
  return reply.body.data
}

/** A session for somebody, and a journey of theirs. */
export async function startHeadlessJourney(
  platformUrl: string,
  { apiKey }: SandboxTenant,
  person = newApplicant(),
  type: JourneyType = 'PERSONAL_LOAN',
): Promise<HeadlessBorrower> {
  const { contactNumber } = person.profile
  const opened = await ask(`${platformUrl}${base}/sessions`, {
    method: 'POST',
    key: apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: {
      borrowerExternalID: person.borrowerProviderID,
      journeyType: type,
      profile: { contactNumber },
    },
  })
  if (opened.status >= 300) throw new RequestRefused('POST /sessions', opened)
  const { borrowerID: borrowerId, sessionToken, refreshToken } = opened.body.data
  const borrower = {
    ...{ platformUrl, externalId: person.borrowerProviderID, borrowerId, sessionToken, refreshToken },
    journeyId: '',
  }
  const { journeyID } = await mustCall(borrower, 'POST', '/journeys', { type })
  return { ...borrower, journeyId: journeyID }
}

/** Fills the profile in and sends it. */
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

export const waitForStatus = (borrower: HeadlessBorrower, status: string, withinMs = deadlineMs) =>
  until(`the status ${status}`, async () => (await stateOf(borrower)).status === status, withinMs)

/** The cards once each of these lenders of the sandbox has answered. */
export const waitForAllCards = (borrower: HeadlessBorrower, lenders = allLenders) =>
  until(
    'an answer of every lender',
    async () => {
      const cards = await cardsOf(borrower)
      return cards.length === lenders.length && settledCards(cards) && cards
    },
    deadlineMs,
  )
const settledCards = (cards: { status: string; aa: { required: boolean } }[]): boolean =>
  cards.every(({ status, aa }) => status !== 'OFFER_AWAITED' || aa.required)

/** Goes through pages from a link on, as a browser would, pressing the button of each once; gives the titles that were seen. */
export const approvePages = async (url: string, outcome: 'approve' | 'decline' = 'approve'): Promise<string[]> =>
  (await answerPages(url, () => outcome)).titles

/** The same, pressing what `press` says for each title; gives the address of the last page as well. */
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
    if (readHtml(text).all('form').length === 0) return { titles, url: answer.url }
    const form = readForm(text, answer.url)
    if (pressed.has(form.action)) return { titles, url: answer.url }
    pressed.add(form.action)
    const entries = form.fields.flatMap(({ name, value }) =>
      value === null || name === 'outcome' ? [] : [[name, value] as [string, string]],
    )
    const body = new URLSearchParams([...entries, ['outcome', press(title)]])
    answer = await fetch(form.action, { method: 'POST', body })
  }
  throw new Error(`there was no end to the pages: ${titles.join(', ')}`)
}

/** Does what the steps of the chosen offer ask for, until the journey has one of these statuses; `look` sees all on the way. */
export async function completeSteps(
  borrower: HeadlessBorrower,
  offerId: string,
  ends: string[] = ['DISBURSED', 'REJECTED'],
  withinMs = deadlineMs,
  look: (status: string, steps: Steps) => void = () => {},
): Promise<string> {
  const path = `${offerPath(borrower, offerId)}/steps`
  const visited = new Set<string>()
  return until(
    `one of ${ends.join(', ')}`,
    async () => {
      // What a step asks for stays until it is done, so the status that is read after it is the one of that step.
      const steps: Steps = await mustCall(borrower, 'GET', path)
      const { status } = await stateOf(borrower)
      look(status, steps)
      if (ends.includes(status)) return status
      if (steps.bankMandate.actionRequired === 'SUBMIT_FORM')
        await mustCall(borrower, 'POST', `${path}/bank-mandate`, { ...bankAccount, accountType: 'SAVINGS' })
      for (const name of ['bankMandate', 'kyc', 'eMandate', 'loanAgreement'] as const) {
        const { actionRequired, resource, diagnostics } = steps[name]
        const visit = `${name} ${diagnostics?.attempts ?? 0}`
        if (actionRequired !== 'REDIRECT' || visited.has(visit)) continue
        visited.add(visit)
        await approvePages(resource.redirectURL!)
      }
      return undefined
    },
    withinMs,
  )
}
