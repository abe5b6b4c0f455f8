// A closed loan is opened from the borrower's next application, and from nobody else's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Borrower, enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { lockJourney, setPageSequence } from '#platform/lending/journey/store.ts'
import { listOffers, setSelected } from '#platform/lending/offer/store.ts'

const platform = await testPlatform()
const { ctx, tenant, url } = platform
const { tenantId } = tenant

/** The borrower's loan, closed; its lifecycle updates up to the fourth were forwarded. */
async function closedLoan(person: ReturnType<typeof newApplicant>): Promise<string> {
  const { journeyId } = await journeyWithOffers(platform, [terms], 0, person)
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const [offer] = await listOffers(tx, journey)
    const choice = { offerId: offer!.offerId, lockSource: 'hosted', branchId: null, pledges: [] }
    await setSelected(tx, journey, choice, at)
    await setPageSequence(tx, tenantId, journeyId, 4)
    await tx`
      update journey set status = 'DISBURSED', active = false, closed_at = ${at}, updated_at = ${at}
      where journey_id = ${journeyId}`
  })
  return journeyId
}

const newApplication = async (person: object): Promise<Borrower> =>
  enter(url, (await openSession(url, tenant, person)).body.embedUrl)

const openLoan = ({ sessionToken }: Borrower) =>
  ask(`${url}/api/embed/journey/earlier-loan`, { method: 'POST', key: sessionToken })

test('D1 §2.3: the next application opens the closed loan of its borrower, and of nobody else', async () => {
  const person = newApplicant()
  const loanId = await closedLoan(person)
  const application = await newApplication(person)
  const { lender } = application.view.earlierLoan ?? assert.fail('the application does not know the loan')
  const { status, body } = await openLoan(application)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.view.journeyId, loanId)
  assert.equal(body.view.screen, 'CLOSED')
  assert.equal(body.view.selected.lenderName, lender)
  assert.equal(body.relayed, 4)
  const page = await ask(`${url}/api/embed/journey`, { key: body.sessionToken })
  assert.equal(page.body.view.journeyId, loanId)

  const ofOtherKind = await newApplication({ ...person, journeyType: 'GOLD_LOAN' })
  assert.deepEqual(ofOtherKind.view.earlierLoan, { lender, creditLine: false }, 'of whatever kind')
  await ctx.db`update offer set credit_line = true where journey_id = ${loanId}`
  assert.equal((await newApplication(person)).view.earlierLoan?.creditLine, true)
  assert.equal((await openLoan(ofOtherKind)).body.view.journeyId, loanId)

  const other = await newApplication(newApplicant())
  assert.equal(other.view.earlierLoan, null)
  assert.equal((await openLoan(other)).status, 404)

  await ctx.db`update journey set erased_at = now() where journey_id = ${loanId}`
  assert.equal((await newApplication(person)).view.earlierLoan, null, 'its data was erased')
  assert.equal((await openLoan(application)).status, 404)
})

test('D1 §2.3: an application that asks lenders does not lead away from itself', async () => {
  const person = newApplicant()
  await closedLoan(person)
  const application = await newApplication(person)
  await ctx.db`update journey set status = 'OFFERED' where journey_id = ${application.view.journeyId}`
  assert.equal((await openLoan(application)).status, 404)
})
