// A borrower at the hosted page, who looks again as often as the page does, and no oftener.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbedOffer, EmbedView, Screen } from '#contract/hosted/embed.ts'
import {
  act,
  type Borrower,
  bankAccount,
  enter,
  openSession,
  type Plan,
  RequestRefused,
  readView,
  type SessionRequest,
} from '#test/setup/borrower.ts'
import type { Installation } from '../../prove/setup/installation.ts'

const lendingPartner = 'Celestium Finance Limited'

/** How far somebody goes: sees the offers, or has the money of a lender of the network or of the lending partner. */
export type Way = 'offers' | 'network' | 'partner'

let people = 0

/** Somebody whom nobody has seen before. */
export function newPerson(): SessionRequest {
  const number = ++people
  return { borrowerProviderID: `cost-${number}`, profile: { contactNumber: `9${String(number).padStart(9, '0')}` } }
}

/** One borrower whom nobody has seen before, with a PAN and an account that ask for no fault; gives how often the page looked. */
export async function goes(way: Way, { platformUrl, tenant }: Installation): Promise<number> {
  const person = newPerson()
  const number = people
  const pan = `AB${initial(Math.floor(number / 8000))}PE${1000 + (number % 8000)}F`
  const { body } = await openSession(platformUrl, tenant, person)
  const borrower = await enter(platformUrl, body.embedUrl, pan)
  const plan: Plan = {
    employmentType: way === 'partner' ? 'selfEmployed' : 'salaried',
    account: { ...bankAccount, accountNumber: `50100${100_000 + number}4781` },
    choose: (offers) => chosen(way, offers, borrower.view),
  }
  for (let looks = 0; ; looks++) {
    const { screen, pollAfterMs } = borrower.view
    if (screen === 'DISBURSED' || (way === 'offers' && screen === 'OFFERS' && !borrower.view.searching)) return looks
    if (ends.includes(screen) || looks > mostLooks)
      throw new Error(`${borrower.journeyId} ended as ${borrower.view.status} ${screen}`)
    await actUnlessOvertaken(borrower, plan)
    await sleep(pollAfterMs ?? 1000)
    await readView(borrower)
  }
}

const ends: Screen[] = ['NOT_OFFERED', 'REJECTED', 'EXPIRED']
const mostLooks = 300

const initial = (number: number): string => String.fromCharCode(65 + (number % 26))

/** The offer that suits the way, as it stands; none while it has not come. */
function chosen(way: Way, offers: EmbedOffer[], { searching }: EmbedView) {
  if (way === 'offers') return null
  const isOfPartner = ({ lenderName }: EmbedOffer) => lenderName === lendingPartner
  const offer = offers.find((each) => isOfPartner(each) === (way === 'partner'))
  if (!offer || (searching && way === 'network')) return null
  return { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths }
}

/** A lender's answer may come between the look and the act, which is then refused; the next look shows what is due. */
async function actUnlessOvertaken(borrower: Borrower, plan: Plan): Promise<void> {
  try {
    await act(borrower, plan)
  } catch (error) {
    if (!(error instanceof RequestRefused && error.reply.status === 409)) throw error
  }
}
