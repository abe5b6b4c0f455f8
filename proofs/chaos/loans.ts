// Borrowers of every product who go from their session to the money and repeat what failed.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { application, enter, gold, newApplicant, RequestRefused } from '@lendloom/tests/setup/borrower'
import { type Lender, mfc } from '@lendloom/tests/setup/funds'
import { completePartnerLoan } from '@lendloom/tests/setup/lending-life'
import { completeJourney, completeLoan, retryTransient } from '@lendloom/tests/setup/patience'
import { ask, type Reply } from '@lendloom/tests/setup/platform'
import type { Installation } from '../setup/installation.ts'

export const products = ['partner loan', 'personal loan', 'gold loan', 'loan against funds'] as const
type Product = (typeof products)[number]

export interface Loans {
  started: number
  ended: Record<Product, number>
  failures: string[]
  /** The partner's cases. */
  cases: string[]
}

const withinMs = 8 * 60_000
const inParallel = 6

/** Keeps some borrowers under way until `isOver`, then waits for them. */
export async function runLoans(installation: Installation, isOver: () => boolean): Promise<Loans> {
  const loans: Loans = {
    started: 0,
    failures: [],
    cases: [],
    ended: Object.fromEntries(products.map((product) => [product, 0])) as Record<Product, number>,
  }
  const borrow = async (): Promise<void> => {
    while (!isOver()) {
      const number = loans.started++
      const product = products[number % products.length] ?? 'personal loan'
      await runLoan(installation, { product, number, cases: loans.cases }).then(
        () => void loans.ended[product]++,
        (error: Error) => void loans.failures.push(`${product} ${number}: ${error.stack ?? error.message}`),
      )
    }
  }
  await Promise.all(Array.from({ length: inParallel }, (_, i) => sleep(i * 500).then(borrow)))
  return loans
}

interface LoanRun {
  product: Product
  number: number
  cases: string[]
}

async function runLoan(installation: Installation, { product, number, cases }: LoanRun): Promise<void> {
  if (product === 'partner loan') cases.push(await completePartnerLoan(installation, panOf(number)))
  else if (product === 'loan against funds') await completeFundsLoan(installation)
  else await completeLoan(installation, newApplicant(product === 'gold loan' ? goldRequest : {}), withinMs)
}

const goldRequest = { journeyType: 'GOLD_LOAN', goldLoan: { ...gold, userType: 'individual' } }

/** One borrower per loan, because the lender limits what it lends to one person; the digits select no scenario. */
export const panOf = (number: number): string => {
  const capital = (index: number) => String.fromCharCode(65 + (index % 26))
  return `${capital(number)}${capital(number / 26)}${capital(number / 676)}PE${1200 + (number % 100)}F`
}

/** A lender that requests the statement while the platform is down refuses it, and the borrower begins again. */
async function completeFundsLoan(installation: Installation): Promise<void> {
  for (let tries = 0; tries < 5; tries++) if (await isFundsLoanMade(installation)) return
  throw new Error('Tulsi Credit did not get the statement five times')
}

/** The hybrid API: start, offers, and the hosted page to the open line. False if the lender did not get the statement. */
async function isFundsLoanMade({ platformUrl, tenant }: Installation): Promise<boolean> {
  const { borrowerProviderID, profile } = newApplicant()
  const { profile: person, workProfile: work, address } = application('ABCPE1251F')
  const url = `${platformUrl}/api/v1/hybrid/lamf/borrowers/${borrowerProviderID}/journey`
  const call = (method: string, path: string, body?: object): Promise<Reply> =>
    retryTransient(`${method} ${path}`, async () => {
      const reply = await ask(url + path, { method, key: tenant.apiKey, ...(body && { body }) })
      if (reply.status >= 400) throw new RequestRefused(`${method} ${path}`, reply)
      return reply
    })
  const journey = { bureauConsent: true, endUse: 'education' }
  const loanPreferences = { productType: 'CREDIT_LINE' }
  await call('POST', '', { personal: { ...profile, ...person }, work, address, journey, mfc, loanPreferences })
  const offerId = await offerOf(call)
  if (offerId === null) return false
  const { body } = await call('POST', `/offers/${offerId}/hosted`, {})
  let borrower = await retryTransient('the page', () => enter(platformUrl, body.data.hosted_url)).catch(() => null)
  // A link is for one use: after a lost answer the app asks for another.
  for (let tries = 0; borrower === null && tries < 20; tries++) {
    const again = await call('POST', `/offers/${offerId}/hosted`, {})
    borrower = await enter(platformUrl, again.body.data.hosted_url).catch(() => null)
  }
  assert.ok(borrower, 'the hosted page opens')
  await completeJourney(borrower, ['LINE_OPEN', 'DISBURSED'], withinMs)
  return true
}

/** Null if the lender did not get the statement. */
async function offerOf(call: (method: string, path: string) => Promise<Reply>): Promise<string | null> {
  let lenders: Lender[] = []
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await sleep(500)) {
    lenders = (await call('GET', '/offers')).body.data.lenders
    const lender = lenders.find(({ lender_name }) => lender_name === 'Tulsi Credit')
    if (lender?.offers[0]) return lender.offers[0].offer_id
    if (lender?.status === 'NO_OFFER_AVAILABLE' && lender.reason?.startsWith('The lender did not find the file'))
      return null
  }
  throw new Error(`no offer of Tulsi Credit: ${JSON.stringify(lenders)}`)
}
