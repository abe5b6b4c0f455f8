// Draws money from an open credit line at the hosted page (FIS12 §27.5).
import assert from 'node:assert/strict'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { EmbedDrawdown } from '@lendloom/wire/hosted/drawdown'
import { type Borrower, call, readView } from './borrower.ts'
import { until } from './programs.ts'

/** Agrees to the terms that the page shows. */
export function agreeToTerms(borrower: Borrower, { drawdownId, terms }: Pick<EmbedDrawdown, 'drawdownId' | 'terms'>) {
  const consents = [{ purpose: 'drawdown', textVersion: currentConsentVersion, language: 'en' }]
  return call(borrower, 'POST', `/drawdowns/${drawdownId}/agree`, { quote: terms!.quote, consents })
}

/** Draws an amount in whole rupees from the borrower's open line, by the lender's terms, until it is paid out. */
export async function drawFrom(borrower: Borrower, amount: string): Promise<void> {
  const newest = async (status: string) =>
    until(`a drawdown ${status}`, async () => {
      const [first] = (await readView(borrower)).drawdowns
      return first?.amount === `${amount}.00` && first.status === status && first
    })
  assert.equal((await call(borrower, 'POST', '/drawdowns', { amount })).status, 200)
  const { drawdownId, terms } = await newest('TERMS_READY')
  assert.equal((await agreeToTerms(borrower, { drawdownId, terms })).status, 200)
  const { paid } = await newest('PAID_OUT')
  assert.equal(paid!.amount, terms!.principal)
}
