// The headless API has the routes and enum values of D2, and the routes that we added (D2 §2.2, §4).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as enums from '@lendloom/wire/headless/enums'
import { JourneyState } from '@lendloom/wire/headless/journey'
import { OfferCard } from '@lendloom/wire/headless/offer'
import { headlessPrefix } from './headless-route.ts'
import { headlessApi } from './routes.ts'

const journey = '/journeys/{journeyID}'
const offer = `${journey}/offers/{offerID}`
const aaSession = `${journey}/aa/sessions/{aaSessionID}`

const d2Routes = [
  'POST /sessions',
  'POST /sessions/refresh',
  'GET /journeys',
  'POST /journeys',
  `GET ${journey}`,
  `GET ${journey}/state`,
  `PATCH ${journey}/resume`,
  `GET ${journey}/profile`,
  `PUT ${journey}/profile`,
  `POST ${journey}/profile/submit`,
  `GET ${journey}/offers`,
  `GET ${offer}`,
  `POST ${offer}/proceed`,
  `POST ${offer}/reject`,
  `POST ${offer}/loan-amount`,
  `GET ${offer}/steps`,
  `GET ${offer}/steps/kyc`,
  `GET ${offer}/steps/kyc/status`,
  `GET ${offer}/steps/bank-mandate`,
  `GET ${offer}/steps/e-mandate`,
  `GET ${offer}/steps/loan-agreement`,
  `POST ${offer}/steps/bank-mandate`,
  `GET ${journey}/aa/sessions`,
  `POST ${journey}/aa/sessions`,
  `GET ${aaSession}`,
  `POST ${aaSession}/redirect`,
  `POST ${aaSession}/complete`,
  `POST ${aaSession}/reconcile`,
  `POST ${journey}/post-disbursal/status`,
  `POST ${journey}/post-disbursal/foreclosure`,
  `POST ${journey}/post-disbursal/pre-part-payment`,
  `POST ${journey}/post-disbursal/missed-emi-payment`,
]
const addedRoutes = [
  `GET ${journey}/loan`,
  `GET ${journey}/operations/{operationID}`,
  ...['kyc', 'e-mandate', 'loan-agreement'].map((step) => `POST ${offer}/steps/${step}/return`),
]

test('D2 §4: the API has the thirty-two routes of D2, and the added routes, under its prefix', () => {
  const routes = headlessApi.routes.map(({ method, path }) => `${method} ${path.slice(headlessPrefix.length)}`)
  assert.equal(d2Routes.length, 32)
  assert.deepEqual(routes.sort(), [...d2Routes, ...addedRoutes].sort())
  for (const { path } of headlessApi.routes) assert.ok(path.startsWith(`${headlessPrefix}/`), path)
})

test('D2 §4: every write has a schema for its body and for each response', () => {
  for (const { method, path, body, reply } of headlessApi.routes) {
    if (method !== 'GET') assert.ok(body, path)
    assert.ok(Object.keys(reply ?? {}).length > 0, path)
  }
})

/** The enums of D2 §2.2. We added values to `nextAction` and `pendingOperations`. */
const expectedEnums = {
  JourneyType: ['PERSONAL_LOAN', 'GOLD_LOAN'],
  JourneyLifecycleStatus: [
    'STARTED',
    'PROFILE_REQUIRED',
    'PROFILE_SUBMITTED',
    'OFFERS_PENDING',
    'OFFERS_AVAILABLE',
    'OFFER_SELECTED',
    'AA_REQUIRED',
    'KYC_PENDING',
    'BANK_MANDATE_PENDING',
    'E_MANDATE_PENDING',
    'LOAN_AGREEMENT_PENDING',
    'LENDER_PROCESSING',
    'DISBURSED',
    'REJECTED',
    'EXPIRED',
    'CLOSED',
  ],
  OfferCardStatus: ['OFFER_RECEIVED', 'OFFER_AWAITED', 'NO_OFFER_AVAILABLE'],
  StepStatus: ['PENDING', 'READY', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'NOT_REQUIRED'],
  ActionRequired: ['NONE', 'REDIRECT', 'SUBMIT_FORM', 'AWAIT_CALLBACK', 'RECONCILE', 'WAIT'],
  AASessionState: [
    'REQUIRED',
    'REDIRECT_READY',
    'IN_PROGRESS',
    'USER_RETURNED',
    'APPROVAL_DISPATCHED',
    'RECONCILING',
    'CONFIRMED',
    'NOT_REQUIRED',
    'FAILED',
    'EXPIRED',
  ],
  nextAction: ['FILL_PROFILE', 'WAIT_FOR_OFFERS', 'VIEW_OFFERS', 'COMPLETE_AA', 'COMPLETE_STEP'],
  pendingOperations: ['PROFILE_SUBMISSION', 'SELECT_DISPATCH'],
}

test('D2 §2.2: each enum has exactly the listed values', () => {
  const schemas = {
    JourneyType: enums.JourneyType,
    JourneyLifecycleStatus: enums.JourneyStatus,
    OfferCardStatus: OfferCard.properties.status,
    StepStatus: enums.StepStatus,
    ActionRequired: enums.RequiredAction,
    AASessionState: enums.AaSessionState,
    nextAction: JourneyState.properties.nextAction,
    pendingOperations: JourneyState.properties.pendingOperations.items,
  }
  const values = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, (schema as { enum?: string[] }).enum]),
  )
  assert.deepEqual({ ...values, nextAction: values.nextAction!.filter((value) => value !== null) }, expectedEnums)
})
