// Fakes the console API's list of many thousand journeys, for tests of the browser.

import type { ListedJourney } from '@lendloom/wire/console/journeys'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import type { Page } from 'playwright-core'

const begun = Date.parse('2026-11-21T10:00:00Z')

const journey = (number: number): ListedJourney => {
  const at = new Date(begun - number * 60_000).toISOString()
  return {
    journeyId: `01930000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    tenantId: '01930000-0000-7000-8000-000000000000',
    applicationId: '01930000-0000-7000-8000-000000000001',
    product: 'PERSONAL_LOAN',
    status: statuses[number % statuses.length] ?? 'STARTED',
    active: true,
    createdAt: at,
    updatedAt: at,
    borrower: { providerId: `customer-${number}`, name: null, mobile: '••••••1234' },
    lender: number % 3 === 0 ? { lenderId: '01930000-0000-7000-8000-000000000002', name: 'Kaveri Bank' } : null,
    amount: number % 3 === 0 ? '200000.00' : null,
    expired: null,
    erasedAt: null,
    isCancelled: false,
    line: null,
    waitsFor: number % 2 === 0 ? { what: 'CHOICE', whose: 'borrower', since: at, until: null } : null,
  }
}

/** Answers the page's requests for journeys with `count` journeys, in pages of `perPage`. */
export async function answerJourneys(page: Page, count: number, perPage = 2000): Promise<void> {
  await page.route(/\/api\/console\/journeys\?/, (route) => {
    const after = Number(new URL(route.request().url()).searchParams.get('after') ?? 0)
    const length = Math.min(after === 0 ? 50 : perPage, count - after)
    const items = Array.from({ length }, (_, i) => journey(after + i + 1))
    const end = after + length
    return route.fulfill({ json: { items, next: end < count ? String(end) : null } })
  })
}
