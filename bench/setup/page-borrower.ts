// A borrower at the hosted page who polls as often as the page does.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  act,
  type Borrower,
  bankAccount,
  enter,
  openSession,
  type Plan,
  RequestRefused,
  type SessionRequest,
} from '@lendloom/tests/setup/borrower'
import { ask } from '@lendloom/tests/setup/platform'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView, EmbedViewReply, Screen } from '@lendloom/wire/hosted/embed-view'
import type { Installation } from '../../proofs/setup/installation.ts'

const lendingPartner = 'Celestium Finance Limited'

/** How far a journey goes: to the offers, or to the disbursal by a network lender or the lending partner. */
export type JourneyEnd = 'offers' | 'network' | 'partner'

let borrowerCount = 0

export function newSessionRequest(): SessionRequest {
  const number = ++borrowerCount
  return { borrowerProviderID: `cost-${number}`, profile: { contactNumber: `9${String(number).padStart(9, '0')}` } }
}

/** Plays a new borrower whose PAN and account trigger no fault. */
export async function playJourney(end: JourneyEnd, { platformUrl, tenant }: Installation): Promise<Borrower> {
  const person = newSessionRequest()
  const number = borrowerCount
  const pan = `AB${initial(Math.floor(number / 8000))}PE${1000 + (number % 8000)}F`
  const { body } = await openSession(platformUrl, tenant, person)
  const borrower = await enter(platformUrl, body.embedUrl, pan)
  const plan: Plan = {
    employmentType: end === 'partner' ? 'selfEmployed' : 'salaried',
    account: { ...bankAccount, accountNumber: `50100${100_000 + number}4781` },
    choose: (offers) => chooseOffer(end, offers, borrower.view),
  }
  const seen: Seen = { tag: null, forwarded: 0 }
  for (let polls = 0; ; polls++) {
    const { screen, pollAfterMs } = borrower.view
    if (screen === 'DISBURSED' || (end === 'offers' && screen === 'OFFERS' && !borrower.view.searching)) return borrower
    if (failedScreens.includes(screen) || polls > maxPolls)
      throw new Error(`${borrower.journeyId} ended as ${borrower.view.status} ${screen}`)
    await actUnlessOvertaken(borrower, plan)
    await sleep(pollAfterMs ?? 1000)
    await pollView(borrower, seen)
  }
}

/** The tag of the last view, and the number of the last lifecycle update that the page has forwarded. */
export interface Seen {
  tag: string | null
  forwarded: number
}

/** Polls as the page does: an unchanged view is not sent again. */
export async function pollView(borrower: Borrower, seen: Seen): Promise<void> {
  const { status, headers, body } = await ask(`${borrower.platformUrl}/api/embed/journey?after=${seen.forwarded}`, {
    key: borrower.sessionToken,
    headers: seen.tag === null ? {} : { 'if-none-match': seen.tag },
  })
  if (status !== 200 && status !== 304) throw new Error(`a poll was answered ${status}`)
  seen.tag = headers.get('etag')
  if (status === 304) return
  const { view }: EmbedViewReply = body
  borrower.view = view
  seen.forwarded = view.updates.at(-1)?.sequence ?? seen.forwarded
}

const failedScreens: Screen[] = ['NOT_OFFERED', 'REJECTED', 'EXPIRED']
const maxPolls = 300

const initial = (number: number): string => String.fromCharCode(65 + (number % 26))

/** Chooses the offer of the right lender without changes. Returns null until the offer arrives. */
function chooseOffer(end: JourneyEnd, offers: EmbedOffer[], { searching }: EmbedView) {
  if (end === 'offers') return null
  const isOfPartner = ({ lenderName }: EmbedOffer) => lenderName === lendingPartner
  const offer = offers.find((each) => isOfPartner(each) === (end === 'partner'))
  if (!offer || (searching && end === 'network')) return null
  return { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths }
}

/** Performs the due action. Ignores a 409, because a lender's answer may arrive between poll and action. */
async function actUnlessOvertaken(borrower: Borrower, plan: Plan): Promise<void> {
  try {
    await act(borrower, plan)
  } catch (error) {
    if (!(error instanceof RequestRefused && error.reply.status === 409)) throw error
  }
}
