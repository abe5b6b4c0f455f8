// Fills a tenant with a borrower for each product and with everything that its staff creates, all with one marker word.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import {
  type Borrower,
  call,
  consents,
  enter,
  gold,
  newApplicant,
  openSession,
  proceedUntil,
  type SessionRequest,
  showsScreen,
} from '@lendloom/tests/setup/borrower'
import type { ConsoleUser } from '@lendloom/tests/setup/console'
import { mfc } from '@lendloom/tests/setup/funds'
import {
  cardsOf,
  completeSteps,
  type HeadlessBorrower,
  mustCall,
  offerPath,
  startHeadlessJourney,
} from '@lendloom/tests/setup/headless'
import { retryTransient } from '@lendloom/tests/setup/patience'
import { ask } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import type { OfferCard } from '@lendloom/wire/headless/offer'

/** A borrower's entries, which contain the marker word wherever text is free. */
export interface Person {
  request: SessionRequest
  pan: string
  profile: object
  workProfile: object
  address: object
  account: { accountHolderName: string; accountNumber: string; ifsc: string; accountType: string }
}

const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `digits` are those of the PAN and end the account number. */
export function personOf(word: string, digits: string): Person {
  const name = `${title(word)} Kulkarni`
  const initials = word.slice(0, 3).toUpperCase()
  const { borrowerProviderID, profile } = newApplicant()
  const pan = `${initials}P${initials.charAt(0)}${digits}F`
  return {
    request: { borrowerProviderID, profile },
    pan,
    profile: { panName: name, pan, dob: '1992-02-29', gender: 'female', personalemail: `${word}@mail.example` },
    workProfile: {
      employmentType: 'selfEmployed',
      companyName: `${title(word)} Foundry`,
      income: 85_000,
      officialemail: `office@${word}.example`,
    },
    address: {
      addressL1: `7 ${title(word)} Road`,
      addressL2: 'Fort',
      city: 'Mumbai',
      state: 'Maharashtra',
      pincode: '400001',
    },
    account: {
      accountHolderName: name,
      accountNumber: `5010${word.charCodeAt(0)}${word.charCodeAt(1)}${digits}`,
      ifsc: 'HDFC0000001',
      accountType: 'saving',
    },
  }
}

/** A tenant's sessions: a loan of the partner by the headless API, and journeys on the hosted page. */
export interface Owner {
  word: string
  tenant: SandboxTenant
  people: Person[]
  /** The borrower of the partner's loan, disbursed. */
  headless: HeadlessBorrower
  offerId: string
  /** A personal loan over the network, disbursed, with complaints. */
  embed: Borrower
  /** A gold loan of the same person. */
  goldEmbed: Borrower
}

type Site = { platformUrl: string }

export async function fillOwner(site: Site, tenant: SandboxTenant, word: string, admin: ConsoleUser): Promise<Owner> {
  const people = ['1234', '2345', '4321'].map((digits) => personOf(word, digits)) as [Person, Person, Person]
  await createEndpoint(site, tenant, word)
  const [{ headless, offerId }, { embed, goldEmbed }] = await Promise.all([
    takePartnerLoan(site, tenant, people[0]),
    takeNetworkLoan(site, tenant, people[1], word),
    startFundsLoan(site, tenant, people[2]),
  ])
  await fillConsole(admin, { word, tenant, journeyId: embed.journeyId })
  return { word, tenant, people, headless, offerId, embed, goldEmbed }
}

const createEndpoint = async ({ platformUrl }: Site, { apiKey }: SandboxTenant, word: string) => {
  const body = { url: `http://127.0.0.1:9/${word}` }
  const reply = await ask(`${platformUrl}/api/lab/webhook-endpoints`, { method: 'POST', key: apiKey, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
}

async function takePartnerLoan({ platformUrl }: Site, tenant: SandboxTenant, person: Person) {
  const headless = await startHeadlessJourney(platformUrl, tenant, person.request)
  const { profile, workProfile, address, account } = person
  const path = `/journeys/${headless.journeyId}/profile`
  const bankingInformation = { ...account, accountType: 'SAVINGS' }
  await mustCall(headless, 'PUT', path, { profile, workProfile, address, bankingInformation })
  await mustCall(headless, 'POST', `${path}/submit`, { bureauConsent: true })
  const { offerID } = await until('an offer of the partner', async () =>
    (await cardsOf(headless)).find(
      ({ lenderName, status }: OfferCard) => lenderName === 'Celestium Finance Limited' && status === 'OFFER_RECEIVED',
    ),
  )
  await mustCall(headless, 'POST', `${offerPath(headless, offerID)}/proceed`)
  const end = await completeSteps(headless, offerID, ['DISBURSED', 'REJECTED'])
  assert.equal(end, 'DISBURSED')
  await mustCall(headless, 'POST', `/journeys/${headless.journeyId}/post-disbursal/pre-part-payment`, {
    amount: '5000',
  })
  return { headless, offerId: offerID as string }
}

async function takeNetworkLoan({ platformUrl }: Site, tenant: SandboxTenant, person: Person, word: string) {
  const open = async (more: object) => {
    const { body } = await openSession(platformUrl, tenant, { ...person.request, ...more })
    return enter(platformUrl, body.embedUrl)
  }
  const goldEmbed = await open({ journeyType: 'GOLD_LOAN' })
  const { profile, workProfile, address } = person
  await succeed(goldEmbed, 'PUT', '/profile', { profile, address, endUse: 'education', goldLoan: gold })
  await succeed(goldEmbed, 'POST', '/profile/submit', consents('bureau', 'data_sharing'))
  const embed = await open({ journeyType: 'PERSONAL_LOAN' })
  await succeed(embed, 'PUT', '/profile', { profile, workProfile, address, endUse: 'education' })
  await succeed(embed, 'POST', '/profile/submit', consents('bureau', 'data_sharing'))
  const network = 'Celestium Finance Limited'
  await proceedUntil(embed, 'the money', showsScreen('DISBURSED'), {
    account: person.account,
    choose(offers) {
      const offer = offers.find(({ lenderName }) => lenderName !== network)
      return offer ? { offer, amount: offer.amountPrincipal, tenureMonths: offer.tenureMonths } : null
    },
  })
  await succeed(embed, 'POST', '/servicing/pre-part-payment', { amount: '5000' })
  await succeed(embed, 'POST', '/grievances', { topic: 'CHARGES', text: `A charge of 500 rupees at ${word} is wrong.` })
  await succeed(embed, 'POST', '/complaints', {
    category: 'OTHER',
    language: 'en',
    text: `Wrong at ${word} in the app.`,
  })
  await proceedUntil(goldEmbed, 'an offer', ({ offers }) => offers.length > 0, { choose: () => null })
  return { embed, goldEmbed }
}

async function succeed(borrower: Borrower, method: string, path: string, body: object): Promise<void> {
  const reply = await call(borrower, method, path, body)
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
}

/** A loan against mutual funds, started by the hybrid API, up to the lenders' offers. */
async function startFundsLoan({ platformUrl }: Site, { apiKey }: SandboxTenant, person: Person): Promise<void> {
  const { request, profile, workProfile: work, address } = person
  const url = `${platformUrl}/api/v1/hybrid/lamf/borrowers/${request.borrowerProviderID}/journey`
  const personal = { ...request.profile, ...profile }
  const body = { personal, work, address, journey: { bureauConsent: true, endUse: 'education' }, mfc }
  const reply = await ask(url, { method: 'POST', key: apiKey, body })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
}

/** Everything that staff of the tenant creates in the console. */
async function fillConsole(
  admin: ConsoleUser,
  { word, tenant, journeyId }: { word: string; tenant: SandboxTenant; journeyId: string },
): Promise<void> {
  const create = async (method: string, path: string, body: object) => {
    const reply = await retryTransient(path, () => admin.ask(method, path, body))
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  }
  const { applicationId } = tenant
  await create('POST', '/people/invitations', { email: `${word}@staff.example`, name: title(word), role: 'viewer' })
  await create('POST', '/developers/keys', { applicationId, label: word, scopes: ['sessions'] })
  await create('POST', `/journeys/${journeyId}/notes`, { text: `a note about ${word}` })
  const filters = { status: 'OFFERED' }
  await create('POST', '/views', { list: 'journeys', name: word, filters, isShared: true })
  const text = `Something is wrong with ${word} in the app.`
  await create('POST', '/complaints', { journeyId, category: 'OTHER', text, language: 'en' })
  await create('POST', '/webhooks/replays', { filter: { states: ['PENDING', 'DELIVERED'] } })
  const theme = { name: title(word), accent: '#7a1fa2', corner: 'soft', font: 'mono' }
  await create('PUT', `/developers/applications/${applicationId}/theme`, theme)
}

export const idempotencyKey = (): Record<string, string> => ({ 'idempotency-key': randomUUID() })
